import CommandLineKit
import Glibc
import Testing

@Suite("The end of a program that is asked for it", .timeLimit(.minutes(5)))
struct InterruptionTests {
    @Test("The second signal ends a program at once")
    func secondSignal() async {
        await #expect(processExitsWith: .signal(SIGINT)) {
            let interruption = Interruption()
            interruption.request()
            withExtendedLifetime(interruption) { send(SIGINT) }
        }
    }

    @Test(
        "Once it is known how the program ends, no signal changes that",
        arguments: [SIGINT, SIGTERM],
        [ExitCode.success, .failure]
    )
    func concluded(number: Int32, code: ExitCode) async {
        // After the first signal was heard, before and after it was known.
        await #expect(processExitsWith: .exitCode(code.rawValue)) {
            [number = number as Int32, code = code.rawValue as Int32] in
            let interruption = Interruption()
            interruption.request()
            interruption.conclude(ExitCode(rawValue: code))
            withExtendedLifetime(interruption) { send(number) }
        }
        await #expect(processExitsWith: .exitCode(code.rawValue)) {
            [number = number as Int32, code = code.rawValue as Int32] in
            let interruption = Interruption()
            interruption.conclude(ExitCode(rawValue: code))
            interruption.request()
            withExtendedLifetime(interruption) { send(number) }
        }
        // When nobody listens any more.
        await #expect(processExitsWith: .exitCode(code.rawValue)) {
            [number = number as Int32, code = code.rawValue as Int32] in
            Interruption().conclude(ExitCode(rawValue: code))
            send(number)
        }
    }

    @Test("Once it is known how the program ends, the first signal is heard all the same")
    func heard() async {
        await #expect(processExitsWith: .exitCode(7)) {
            let interruption = Interruption()
            interruption.conclude(.success)
            interruption.whenRequested { exit(7) }
            send(SIGINT)
        }
    }
}

/// Sends a signal to this program, whose end it is.
///
/// To the program and not to the thread: those of libdispatch hear none.
private func send(_ number: Int32) -> Never {
    kill(getpid(), number)
    sleep(60)
    exit(99)
}
