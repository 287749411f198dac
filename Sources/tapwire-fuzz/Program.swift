import Foundation

#if FUZZING
import CFuzzDriver
#endif

/// Feeds invented bytes to the rooms that read what strangers send.
///
///     tapwire-fuzz TARGET CORPUS... -max_total_time=30    fuzz; needs a build by tools/fuzz
///     tapwire-fuzz TARGET FILE...                         run a target on files, in any other build
///     tapwire-fuzz --seeds FOLDER                         write what is known to be good, a folder a target
///
/// It reads `Vectors/`, so it runs from the repository's top folder.
@main
struct Program {
    /// The target this process fuzzes.
    static let target = CommandLine.arguments.dropFirst().first.flatMap(FuzzTarget.init)

    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst()
        if arguments.first == "--seeds", let folder = arguments.dropFirst().first {
            try Seeds.write(below: URL(filePath: folder))
            return
        }
        guard let target else {
            let names = FuzzTarget.allCases.map(\.rawValue).joined(separator: ", ")
            FileHandle.standardError.write(
                Data(
                    "usage: tapwire-fuzz TARGET FILE... | --seeds FOLDER\ntargets: \(names)\n".utf8
                )
            )
            exit(EX_USAGE)
        }
        #if FUZZING
        exit(drive())
        #else
        for path in arguments.dropFirst() {
            target.run(try [UInt8](Data(contentsOf: URL(filePath: path))))
        }
        #endif
    }

    #if FUZZING
    /// Hands the process to libFuzzer, to which the target's name is the program's.
    private static func drive() -> Int32 {
        var count = CommandLine.argc - 1
        var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? =
            unsafe CommandLine.unsafeArgv + 1
        return unsafe LLVMFuzzerRunDriver(&count, &arguments) { bytes, count in
            let input = unsafe UnsafeBufferPointer(start: bytes, count: count)
            unsafe Program.target?.run([UInt8](input))
            return 0
        }
    }
    #endif
}
