import Nearby
import NearbyOffline

extension SetTopBox {
    /// True if the box has to be silent now. It is silent if it has quiet hours and its clock was never set,
    /// so that it wakes nobody.
    var isQuiet: Bool {
        guard !configuration.quietHours.isEmpty else { return false }
        let wall = parts.wallClock()
        return !OfflineRegistry.isSet(wall)
            || configuration.quietHours.contains(unixSeconds: wall.components.seconds)
    }

    /// Checks the quiet hours now, and with every minute of the wall clock, which may be set at any time.
    func keepHours() {
        hoursTask?.cancel()
        hoursTask = nil
        guard !configuration.quietHours.isEmpty else { return tellStatus() }
        let (clock, wallClock) = (parts.clock, parts.wallClock)
        hoursTask = Task { [weak self] in
            while !Task.isCancelled {
                await self?.lookAtHour()
                let wall = wallClock()
                let intoMinute = wall - .seconds(wall.components.seconds / 60 * 60)
                do { try await clock.sleep(clock.now() + .seconds(60) - intoMinute) } catch { return }
            }
        }
    }

    private func lookAtHour() async {
        rereadZone()
        await setGate()
        tellStatus()
    }

    /// Reads the time zone again, because the system's zones may be updated while the box runs.
    private func rereadZone() {
        do throws(LocalTimeError) {
            let hours = try configuration.quietHours.reread()
            timeZone.error = nil
            guard let hours else { return }
            configuration.quietHours = hours
            timeZone.updates += 1
        } catch {
            timeZone.error = error
        }
    }

    /// Sends the present silence and pause to the gated medium.
    func setGate() async {
        lastGateOrder += 1
        await running?.gate.set(isSilent: isQuiet, pause: configuration.pause, number: lastGateOrder)
    }
}
