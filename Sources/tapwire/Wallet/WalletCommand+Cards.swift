import CommandLineKit
import EMVData
import Foundation
import NFCWallet
import Profiles
import TokenService

extension WalletCommand {
    static func open(
        _ arguments: Arguments,
        _ settings: StoredWallet.Settings = StoredWallet.Settings()
    ) throws -> StoredWallet {
        try StoredWallet(path: path(arguments, makesFolder: settings.makesFile), settings)
    }

    static func add(_ arguments: Arguments) async throws -> ExitCode {
        guard let scheme = arguments["scheme"].flatMap(Scheme.init(rawValue:)) else {
            throw CommandFailure(.usage, "add needs --scheme visa or --scheme mastercard")
        }
        let serial = try arguments.value("account", expecting: "a number from 1 to 9") { text in
            Int(text).flatMap { (1...StoredWallet.accountCount).contains($0) ? $0 : nil }
        }
        let colour = arguments["decision"].flatMap(DigitizationDecision.Colour.init(rawValue:))
        var settings = StoredWallet.Settings()
        settings.colour = colour ?? .green
        settings.makesFile = true
        let stored = try open(arguments, settings)
        for await state in stored.enrollment.enroll() {
            if case .errorEncountered(let error) = state {
                throw stored.storeFailure
                    ?? CommandFailure(.failure, "the wallet is not enrolled: \(error)")
            }
        }
        guard let number = StoredWallet.account(scheme, serial ?? 1) else {
            throw CommandFailure(.internalFault, "the test bank has no such account")
        }
        let state = try stored.exclusively {
            try stored.dropLostTokens()
            do throws(DigitizationError) {
                let eligibility = try stored.digitization.checkEligibility(
                    PlasticCard(number: number, lastDay: StoredWallet.lastDay(scheme))
                )
                return try stored.digitization.digitizeCard(eligibility, acceptsTerms: true)
            } catch {
                throw stored.failure(error)
            }
        }
        switch state {
        case .digitizationApproved(let id):
            let card = try stored.card(id.rawValue)
            let info = try stored.info(card)
            Console.output.write(
                "Added \(card.shown), good for \(info.numberOfPaymentsLeft) payments.\n"
            )
            return .success
        case .digitizationApprovedWithIDV(let id, let methods):
            let card = try stored.card(id.rawValue)
            Console.output.write(
                "Added \(card.shown), to be activated: tapwire wallet activate \(id.rawValue)"
                    + (methods.contains(.otpBySMS) ? "\n" : " --by issuer\n")
            )
            return .success
        case .digitizationDeclined:
            throw CommandFailure(.failure, "the token service declined the card (red)")
        }
    }

    static func activate(_ arguments: Arguments) throws -> ExitCode {
        var settings = StoredWallet.Settings()
        settings.deliverCode = { method, code in
            let channel = method == .otpBySMS ? "text message" : "e-mail"
            Console.output.write("The issuer's \(channel) to the user: the code is \(code).\n")
        }
        guard !arguments.has("code") || arguments["by"] != "issuer" else {
            throw CommandFailure(
                .usage,
                "leave out --code: with --by issuer somebody asks the user, and no code is sent"
            )
        }
        let stored = try open(arguments, settings)
        let card = try stored.card(arguments.positionals.first)
        guard card.state != .active else {
            Console.output.write("\(card.shown) is active already.\n")
            return .success
        }
        let isActive = try stored.exclusively {
            do throws(DigitizationError) {
                return try activate(card, of: stored, arguments)
            } catch {
                throw stored.failure(error)
            }
        }
        guard isActive else {
            Console.output.write(
                "Type it in: tapwire wallet activate \(card.id.rawValue) --code CODE\n"
            )
            return .success
        }
        Console.output.write("\(card.shown) is active.\n")
        return .success
    }

    /// Activates a card, or has a code sent to its user.
    /// - Returns: Whether it is active.
    private static func activate(
        _ card: DigitalCard,
        of stored: StoredWallet,
        _ arguments: Arguments
    ) throws(DigitizationError) -> Bool {
        if let code = arguments["code"] {
            try stored.digitization.activate(card.id, code: code)
            return true
        }
        let method: IDVMethod =
            switch arguments["by"] {
            case "email": .otpByEmail
            case "issuer": .customerService
            default: .otpBySMS
            }
        let pending = try stored.digitization.select(method, for: card.id)
        guard !pending.needsOTP else { return false }
        try pending.activate()
        return true
    }

    static func setDefault(_ arguments: Arguments) throws -> ExitCode {
        let stored = try open(arguments)
        let card = try stored.card(arguments.positionals.first)
        try stored.wrap { () throws(WalletError) in try stored.wallet.setDefaultCard(card.id) }
        Console.output.write("\(card.shown) pays when none is named.\n")
        return .success
    }

    static func change(_ arguments: Arguments, _ name: String) throws -> ExitCode {
        let stored = try open(arguments)
        let card = try stored.card(arguments.positionals.first)
        let manager = DigitalCardManager(wallet: stored.wallet, server: stored.server)
        try stored.exclusively {
            try stored.wrap { () throws(WalletError) in
                switch name {
                case "suspend": try manager.suspend(card.id)
                case "resume": try manager.resume(card.id)
                default: try manager.delete(card.id)
                }
            }
        }
        let state =
            switch name {
            case "suspend": "suspended"
            case "resume": "active again"
            default: "deleted, with its keys and history"
            }
        Console.output.write("\(card.shown) is \(state).\n")
        return .success
    }

    static func replenish(_ arguments: Arguments) throws -> ExitCode {
        var settings = StoredWallet.Settings()
        settings.isOffline = arguments.has("offline")
        let stored = try open(arguments, settings)
        let card = try stored.card(arguments.positionals.first)
        let isDone: Bool
        do throws(ReplenishmentError) {
            isDone = try ReplenishmentService(wallet: stored.wallet)
                .replenish(digitalCardID: card.id, isForced: arguments.has("force"))
        } catch {
            throw stored.failure(error, card)
        }
        let count = try stored.info(card).numberOfPaymentsLeft
        Console.output.write(
            isDone
                ? "\(card.shown) is good for \(count) payments now.\n"
                : "\(card.shown) is still good for \(count) payments; --force fetches more.\n"
        )
        return .success
    }
}

extension StoredWallet {
    fileprivate var enrollment: WalletSecureEnrollmentService {
        WalletSecureEnrollmentService(wallet: wallet, server: server)
    }

    fileprivate var digitization: CardDigitizationService {
        CardDigitizationService(wallet: wallet, server: server)
    }

    /// Deletes the tokens of a wallet that was here before and is gone.
    fileprivate func dropLostTokens() throws {
        let walletID = try wrap { () throws(WalletError) in try wallet.walletID }
        let cards = Set(try cards().map(\.id))
        do throws(TokenServiceError) {
            try tokens.deleteTokens(
                ofWalletsOtherThan: walletID,
                on: device,
                except: cards
            )
        } catch {
            throw storeFailure ?? CommandFailure(.internalFault, "the bank's tokens stay: \(error)")
        }
    }

    func info(_ card: DigitalCard) throws -> PaymentKeyInfo {
        try wrap { () throws(WalletError) in try wallet.paymentKeyInfo(of: card.id) }
    }
}

extension DigitalCard {
    /// The card for people: its label and masked token.
    var shown: String { "\(label) \(contents?.number.masked ?? id.rawValue)" }
}

extension StoredWallet {
    /// Says why a card does not get into the wallet, or is not activated.
    fileprivate func failure(_ error: DigitizationError) -> CommandFailure {
        switch error {
        case .networkError: CommandFailure(.unavailable, "the token service cannot be reached")
        case .cardAlreadyProvisionedInWallet:
            CommandFailure(
                .failure,
                "this account has a card in a wallet already; delete that one, or take another --account"
            )
        case .invalidInput(let left) where left > 0:
            CommandFailure(
                .failure,
                "the code is wrong; \(left) more \(left == 1 ? "try" : "tries")"
            )
        case .invalidInput:
            CommandFailure(
                .failure,
                "there is no try left for this code; have a new one sent: leave out --code"
            )
        case .codeNotRequested:
            CommandFailure(
                .failure,
                "no code was sent for this card; have one sent: leave out --code"
            )
        case .codeExpired:
            CommandFailure(
                .failure,
                "the code has expired; have a new one sent: leave out --code"
            )
        case .unknownCardID: CommandFailure(.failure, "the card does not wait to be activated")
        case .clientError:
            CommandFailure(.failure, "the issuer sends no code for this card; say --by issuer")
        case .store, .serverError:
            storeFailure ?? CommandFailure(.failure, "the token service failed; try again")
        default: CommandFailure(.failure, "the token service refused: \(error)")
        }
    }

    /// Says why a card gets no keys.
    fileprivate func failure(_ error: ReplenishmentError, _ card: DigitalCard) -> CommandFailure {
        switch error {
        case .networkError: CommandFailure(CredentialError.networkError)
        case .serverError:
            storeFailure
                ?? CommandFailure(
                    card.state == .active ? CredentialError.serverError : .cardNotActive
                )
        case .clientError: CommandFailure(CredentialError.unknownCard)
        case .missingWalletSecureEnrollment:
            CommandFailure(.failure, "the wallet is not enrolled; tapwire wallet add does that")
        case .deviceEnvironmentUnsafe, .unknown:
            storeFailure ?? CommandFailure(.badFile, "the wallet cannot be used: \(error)")
        }
    }
}
