import ArgumentParser
import AudioIO
import CommandOutput
import Plotting

struct Demo: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show devices finding and losing one another in simulated rooms.",
        discussion: """
            Simulates a set-top box that only broadcasts, in a living room with a television on, and two phones that \
            come in. All run the engine and the modem of real devices; the sound between them is computed sample by \
            sample. Prints who finds and loses whom, when, and at what distance. The same seed gives the same \
            output.
            """)

    @Option(help: ArgumentHelp("Seed of all random numbers.", valueName: "n"))
    var seed: UInt64 = 2

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Time to simulate, 10 to 3600; the scripted events end at 84.", valueName: "s"))
    var seconds = DemoScene.standardSeconds

    @Option(
        name: [.short, .long],
        help: ArgumentHelp("PNG file to write: the rooms, and all frames over time.", valueName: "file"))
    var output: String?

    @Flag(help: "Print one JSON object per line, including frames.")
    var json = false

    func validate() throws {
        guard (10...3600).contains(seconds) else { throw ValidationError("--seconds must be 10 to 3600") }
        guard output != "-" else {
            throw ValidationError("the timeline goes to standard output; name a file for the picture")
        }
    }

    func run() throws {
        let picture = try output.map { try PictureFile(AudioPath($0), inputs: []) }
        let story = try DemoRun(scene: DemoScene(), seed: seed, seconds: seconds).play()
        for line in json ? StoryJSON(story: story).lines : StoryLines(story: story).all {
            try StandardOutput.write(line)
        }
        try picture?.write(StoryPicture.draw(StoryDrawing(story: story, seed: seed).plot))
    }
}
