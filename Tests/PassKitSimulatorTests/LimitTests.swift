import Foundation
import NFCWallet
import PassKitSimulator
import Testing

@Suite("The time an extension has", .timeLimit(.minutes(5)))
struct LimitTests {
    private func desk() throws -> (ProvisioningDesk, SimulatedWalletHost, GuideApp) {
        let desk = try ProvisioningDesk(.green)
        let host = desk.makeHost()
        let app = GuideApp(desk, host)
        app.start()
        return (desk, host, app)
    }

    private func call(_ name: String, _ desk: ProvisioningDesk) throws -> Exchange {
        try #require(desk.simulation.exchanges.last { $0.name == name })
    }

    @Test("A status that is late ends when Wallet gives it up, and Wallet goes on then")
    func lateStatus() async throws {
        let (desk, host, app) = try desk()
        for delay in [100, 5_000] {
            let start = desk.clock.now
            desk.simulation.script(.handlerExtension, "status", .delay(.milliseconds(delay)))
            let discovery = await host.discover(app.installed)
            let late = ProvisioningError.timedOut(
                .handlerExtension,
                call: "status",
                limit: .milliseconds(100)
            )
            #expect(discovery.error == late && discovery.duration == .milliseconds(100))
            let status = try call("status", desk)
            #expect(status.duration == .milliseconds(100) && status.error == late)
            #expect(desk.clock.now - start == .milliseconds(100))
        }
        // One whose answer is lost is not waited for any longer.
        desk.simulation.script(.handlerExtension, "status", .loseAnswer)
        #expect(await host.discover(app.installed).isLate)
        #expect(await host.discover(app.installed).isShown)
    }

    @Test("A call that waits for a server is given up, though the server answers later")
    func lateServer() async throws {
        let (desk, host, app) = try desk()
        desk.simulation.script(.issuerServer, "cards", .delay(.seconds(25)))
        await #expect(
            throws: ProvisioningError.timedOut(
                .handlerExtension,
                call: "passEntries",
                limit: .seconds(20)
            )
        ) { try await host.add(from: app.installed) }
        #expect(try call("passEntries", desk).duration == .seconds(20))
        #expect(try call("cards", desk).duration == .seconds(25))
        #expect(host.passes().isEmpty)
        // What comes after it is not inside it.
        _ = await host.discover(app.installed)
        #expect(try call("status", desk).depth == 0)
    }

    @Test(
        "All calls of an extension have 30 s together",
        arguments: [(15_000, 14_999, nil), (15_000, 15_000, 15), (19_000, 19_999, 11)]
    )
    func total(_ entries: Int, _ generate: Int, _ endSeconds: Int?) async throws {
        let (desk, host, app) = try desk()
        for (party, call, milliseconds) in [
            (.handlerExtension, "passEntries", entries),
            (.handlerExtension, "generateAddPaymentPassRequest", generate),
            // The user's time does not count.
            (.authorizationExtension, "authenticate", 299_000),
        ] as [(Party, String, Int)] {
            desk.simulation.script(party, call, .delay(.milliseconds(milliseconds)))
        }
        guard let endSeconds else {
            #expect(try await host.add(from: app.installed).passActivationState == .activated)
            return
        }
        let late = ProvisioningError.timedOutInAll(
            .handlerExtension,
            call: "generateAddPaymentPassRequest",
            limit: .seconds(30)
        )
        await #expect(throws: late) { try await host.add(from: app.installed) }
        let last = try call("generateAddPaymentPassRequest", desk)
        #expect(last.error == late && last.duration == .seconds(endSeconds))
        #expect(host.passes().isEmpty && host.passes(onWatch: true).isEmpty)
    }

    @Test("status and the watch's entries count as well")
    func totalOfAll() async throws {
        let (desk, host, app) = try desk()
        desk.watch.isPaired = true
        for (call, delay) in [
            ("status", 99), ("passEntries", 15_000), ("remotePassEntries", 14_901),
        ] {
            desk.simulation.script(.handlerExtension, call, .delay(.milliseconds(delay)))
        }
        await #expect(
            throws: ProvisioningError.timedOutInAll(
                .handlerExtension,
                call: "remotePassEntries",
                limit: .seconds(30)
            )
        ) { try await host.add(from: app.installed) }
        #expect(try await host.add(from: app.installed).passActivationState == .activated)
    }

    @Test("A user who does not authenticate in time")
    func authentication() async throws {
        let (desk, host, app) = try desk()
        for behaviour in [
            Behaviour.refuse("locked"), .fail(status: 500, message: "Broken"), .unreachable,
            .loseAnswer,
        ] {
            desk.simulation.script(.user, "biometrics", behaviour)
            await #expect(throws: ProvisioningError.notAuthenticated) {
                try await host.add(from: app.installed)
            }
        }
        let limit = Duration.seconds(300)
        desk.simulation.script(.user, "biometrics", .delay(limit))
        await #expect(
            throws: ProvisioningError.timedOut(
                .authorizationExtension,
                call: "authenticate",
                limit: limit
            )
        ) { try await host.add(from: app.installed) }
        let (other, otherHost, otherApp) = try self.desk()
        other.simulation.script(.user, "biometrics", .delay(.seconds(299)))
        #expect(
            try await otherHost.add(from: otherApp.installed).passActivationState == .activated
        )
    }
}
