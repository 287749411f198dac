#if !hasFeature(Embedded)

/// Everything that can be read of bytes that should be TLV, with its place, and everything wrong about them.
///
/// Where `TLV.parse` refuses, this reads on as far as anything is certain, for people who want to know what is wrong
/// with a message. A template's bytes are read even when its end is missing.
///
/// Zero bytes between objects are allowed (EMV Book 3, Annex B1) and are told as `padding`. FF bytes
/// between objects and a primitive object that its template holds twice (EMV Book 3, 10.2) are faults that do not end the
/// reading; all others do.
public struct TLVSurvey: Hashable, Sendable {
    /// A data object and where it lies.
    public struct Object: Hashable, Sendable {
        /// The tag.
        public let tag: Tag
        /// Where the tag starts, from the start of the outermost bytes.
        public let offset: Int
        /// Where the value starts.
        public let valueOffset: Int
        /// How many bytes the value should have, as the length says.
        public let length: Int
        /// As many bytes of the value as are there.
        public let value: [UInt8]
        /// What is inside a template.
        public internal(set) var objects: [Object] = []

        /// Whether the whole value is there.
        public var isWhole: Bool { value.count == length }
    }

    /// Bytes between objects that mean nothing.
    public struct Padding: Hashable, Sendable {
        /// Where they start.
        public let offset: Int
        /// How many there are.
        public let count: Int
        /// What each of them is: 00 or FF.
        public let byte: UInt8
    }

    /// The outermost objects.
    public let objects: [Object]
    /// Runs of zero bytes, or of FF, in order.
    public let padding: [Padding]
    /// What is wrong, in order of the offsets; empty when everything is as it should be.
    public let faults: [TLVError]
    /// Where the reading ended: the number of bytes, or the start of the object that could not be read.
    public let end: Int

    /// Reads `bytes` as far as possible.
    public init(_ bytes: [UInt8]) {
        var reading = Reading(bytes)
        reading.run()
        objects = reading.frames[0].objects
        padding = reading.padding
        faults = reading.faults.sorted { $0.offset < $1.offset }
        end = reading.end
    }

    /// Whether the bytes are objects to the last one, and nothing is wrong with them.
    public var isSound: Bool { faults.isEmpty }
}

/// One walk over the bytes.
private struct Reading {
    /// A template that is being read; the first is the outermost bytes.
    struct Frame {
        var template: TLVSurvey.Object?
        /// Where its contents end, by its length or because there are no more bytes.
        var end: Int
        var objects: [TLVSurvey.Object] = []
        var primitives: Set<Tag> = []
    }

    let bytes: [UInt8]
    /// One for each open template, so that untrusted depth costs no stack.
    var frames: [Frame]
    var padding: [TLVSurvey.Padding] = []
    var faults: [TLVError] = []
    var end: Int
    private var position = 0
    private var count = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        frames = [Frame(end: bytes.count)]
        end = bytes.count
    }

    mutating func run() {
        while true {
            skipPadding()
            if position >= frames[frames.count - 1].end {
                guard frames.count > 1 else { return }
                close()
                continue
            }
            let start = position
            do throws(TLVError) {
                try readObject()
            } catch {
                faults.append(error)
                end = start
                while frames.count > 1 { close() }
                return
            }
        }
    }

    private mutating func readObject() throws(TLVError) {
        let start = position
        let limit = frames[frames.count - 1].end
        count += 1
        guard count <= TLV.maximumObjectCount else { throw TLVError(.tooManyObjects, at: start) }
        var reader = TLVReader(bytes.span.extracting(position..<limit), base: position)
        let tag = try reader.readTag()
        guard !tag.isFilling else {
            let run = bytes[start..<limit].prefix { $0 == 0xFF }.count
            padding.append(TLVSurvey.Padding(offset: start, count: run, byte: 0xFF))
            faults.append(TLVError(.filling, at: start))
            position += run
            return
        }
        let lengthOffset = reader.offset
        let length = try reader.readLength()
        let valueOffset = reader.offset
        let isWhole = length <= limit - valueOffset
        let valueEnd = isWhole ? valueOffset + length : limit
        let object = TLVSurvey.Object(
            tag: tag,
            offset: start,
            valueOffset: valueOffset,
            length: length,
            value: Array(bytes[valueOffset..<valueEnd])
        )
        if !isWhole {
            // A template cut short has told its own fault already, unless the object is longer than all of it.
            let isInside = frames[frames.count - 1].template?.isWhole == true
            faults.append(
                TLVError(isInside ? .pastTemplate(tag) : .truncatedValue, at: lengthOffset)
            )
        }
        if tag.isConstructed {
            guard frames.count <= TLV.maximumDepth else {
                throw TLVError(.nestedTooDeeply, at: start)
            }
            frames.append(Frame(template: object, end: valueEnd))
            position = valueOffset
        } else {
            add(object)
            position = valueEnd
        }
    }

    /// Adds an object to the innermost open template.
    private mutating func add(_ object: TLVSurvey.Object) {
        let last = frames.count - 1
        if !object.tag.isConstructed, !frames[last].primitives.insert(object.tag).inserted,
            object.tag != Self.issuerScriptCommand
        {
            faults.append(TLVError(.duplicate(object.tag), at: object.offset))
        }
        frames[last].objects.append(object)
    }

    /// Only a script's commands follow each other with the same tag (EMV Book 3, Annex E).
    private static var issuerScriptCommand: Tag { Tag(rawValue: 0x86) }

    private mutating func close() {
        let finished = frames.removeLast()
        guard var template = finished.template else { return }
        position = finished.end
        template.objects = finished.objects
        add(template)
    }

    private mutating func skipPadding() {
        let limit = frames[frames.count - 1].end
        let zeros = bytes[position..<limit].prefix { $0 == 0 }.count
        if zeros > 0 {
            padding.append(TLVSurvey.Padding(offset: position, count: zeros, byte: 0))
            position += zeros
        }
        guard position < limit, bytes[position..<limit].allSatisfy({ $0 == 0xFF }) else { return }
        padding.append(TLVSurvey.Padding(offset: position, count: limit - position, byte: 0xFF))
        faults.append(TLVError(.filling, at: position))
        position = limit
    }
}

#endif
