import CommandLineKit
import EMVData
import ISO7816
import Profiles

/// A card that was read, on its way into a profile.
struct CopiedCard {
    private let name: String
    private let historicalBytes: [UInt8]
    private let isPublic: Bool

    /// What is to be told of a copy, one sentence each.
    struct Report {
        /// What the copy is.
        var notes: [String]
        /// What was not copied.
        var refusals: [String]
    }

    /// Takes what is known of a card beside its contents.
    /// - Parameters:
    ///   - name: What it is called, for people.
    ///   - answerToReset: Its answer to reset; empty without one.
    ///   - isPublic: Whether its numbers are published test numbers.
    init(_ name: String, _ answerToReset: [UInt8], isPublic: Bool) {
        self.name = name
        self.isPublic = isPublic
        historicalBytes = (try? AnswerToReset(parsing: answerToReset))?.historicalBytes ?? []
    }

    /// Writes the profile of a copy.
    /// - Parameters:
    ///   - survey: What was read.
    ///   - file: Where it is written.
    ///   - keepsNumbers: Whether account numbers and tracks are those that were read.
    /// - Returns: What is to be told of the copy.
    /// - Throws: `CommandFailure` when nothing can be copied, or the file not be written.
    func write(
        _ survey: CardSurvey,
        to file: OutputFile,
        keepsNumbers: Bool
    ) throws -> Report {
        let reading = CardContents(
            name: name,
            isPublic: isPublic,
            uid: survey.uid,
            historicalBytes: historicalBytes,
            applications: survey.applications.map { application in
                CardContents.Application(
                    name: application.name,
                    selection: application.entry + application.control,
                    processingOptions: application.options,
                    records: application.records,
                    retrieved: application.retrieved
                )
            }
        )
        do {
            let copy = try CardCopy(of: reading, keepsAccountNumbers: keepsNumbers)
            try file.write(copy.profile.json())
            return Report(notes: copy.profile.notes, refusals: copy.refusals)
        } catch let error as CardCopyError {
            let reasons = error.refusals.isEmpty ? ["it has no application"] : error.refusals
            throw CommandFailure(
                .failure,
                "no profile can be made of \(name): \(reasons.joined(separator: "; "))"
            )
        }
    }
}
