import ArgumentParser
import AudioIO
import CommandOutput
import Plotting

struct Demo: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show devices finding and losing one another in simulated rooms.",
        discussion: """
            A set-top box in a living room with a television on, which only broadcasts, and two phones that come in, all \
            with the engine and the modem of real devices, in air that is computed sample by sample. Prints who finds \
            and loses whom, when, and how far away; the same for the same seed.
            """)

    @Option(help: ArgumentHelp("Of everything that chance decides.", valueName: "n"))
    var seed: UInt64 = 2

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("How long to play, 10 to 3600; all that is staged is over by 84.", valueName: "s"))
    var seconds = DemoScene.standardSeconds

    @Option(
        name: [.short, .long],
        help: ArgumentHelp("A PNG to write: the rooms, and all frames over time.", valueName: "file"))
    var output: String?

    @Flag(help: "Print one JSON object a line, frames among them.")
    var json = false

    func validate() throws {
        guard (10...3600).contains(seconds) else { throw ValidationError("--seconds is 10 to 3600") }
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
