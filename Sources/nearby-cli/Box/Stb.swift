import ArgumentParser
import SetTopBoxService

struct Stb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: StbOptions.abstract, discussion: StbOptions.discussion)

    @OptionGroup var options: StbOptions

    func run() async throws { try await options.run(in: StbOptions.smallProgram) }
}
