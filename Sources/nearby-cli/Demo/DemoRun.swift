import CommandOutput
import Nearby
import VirtualRoom

/// The simulation of a scene from its beginning to its end.
struct DemoRun {
    let scene: DemoScene
    let seed: UInt64
    let seconds: Double

    /// Runs the simulation. A terminal shows the progress.
    func play() throws(NearbyError) -> Story {
        var simulation = Simulation(
            scene.plan, devices: scene.actors.map { .init($0.name, $0.air) },
            programmes: [.television(at: scene.television, seed: seed)], seed: seed)
        var published: [[OperationID]] = []
        for (device, actor) in scene.actors.enumerated() {
            published.append([])
            for publication in actor.publications {
                published[device].append(try simulation.publish(publication, on: device))
            }
            for subscription in actor.subscriptions {
                try simulation.subscribe(
                    to: subscription.filter, strategy: subscription.strategy, on: device)
            }
        }
        var progress = Progress(total: Int(seconds))
        while simulation.seconds < seconds {
            simulation.run(seconds: min(1, seconds - simulation.seconds))
            for (device, actor) in scene.actors.enumerated() {
                guard let end = actor.silentFromSeconds, end <= simulation.seconds else { continue }
                for id in published[device] { try simulation.end(id, on: device) }
                published[device] = []
            }
            progress.update(done: Int(simulation.seconds), seconds: simulation.seconds)
        }
        progress.clear()
        return StoryBuilder.tell(simulation, scene)
    }
}
