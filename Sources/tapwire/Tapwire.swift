/// The command line program.
@main
struct Tapwire {
    static func main() {}
}
