import Nearby

/// The way of reports to the shared registry, and of its answers and events back to the devices.
extension Simulation {
    mutating func send(_ report: Report, from device: Int) {
        guard devices[device].registry != nil else {
            return deliveries.send(.report(report), device, at: now + Simulation.registryDelay / 2)
        }
        do {
            guard let (answer, events) = try devices[device].registry?.report(report, at: now) else { return }
            change(device) { $0.answered(answer, now: $1) }
            change(device) { $0.notified(events, now: $1) }
        } catch {
            change(device) { $0.failed(error, now: $1) }
        }
    }

    mutating func deliverPost() {
        if registry.nextDeadline.map({ $0 <= now }) ?? false { tell(registry.advance(to: now)) }
        while let delivery = deliveries.next(at: now) {
            switch delivery.content {
            case .report(let report): take(report, from: delivery.device)
            case .answer(let answer):
                noteDeliveries(of: answer, to: delivery.device)
                change(delivery.device) { $0.answered(answer, now: $1) }
            case .refusal(let error):
                timeline.add(.failed(error), device: delivery.device, now: now)
                change(delivery.device) { $0.failed(error, now: $1) }
            case .events(let events):
                noteDeliveries(of: events, to: delivery.device)
                change(delivery.device) { $0.notified(events, now: $1) }
            }
        }
    }

    private mutating func noteDeliveries(of answer: Answer, to device: Int) {
        guard !answer.deliveries.isEmpty else { return }
        timeline.add(.notified(answer.deliveries), device: device, now: now)
    }

    private mutating func take(_ report: Report, from device: Int) {
        let arrival = now + Simulation.registryDelay / 2
        guard isRegistryReachable else {
            return deliveries.send(.refusal(.unreachable("simulated")), device, at: arrival)
        }
        guard report.isComplete || !strangers.contains(device) else {
            return deliveries.send(.refusal(.unknownDevice), device, at: arrival)
        }
        strangers.remove(device)
        if report.isComplete || devices[device].identity == nil {
            devices[device].identity = registry.join(now: now)
        }
        do {
            let (answer, events) = try registry.report(report, from: devices[device].identity!, now: now)
            deliveries.send(.answer(answer), device, at: arrival)
            tell(events)
        } catch {
            deliveries.send(.refusal(error), device, at: arrival)
        }
    }

    private mutating func tell(_ events: RegistryState.RegistryEvents) {
        for device in devices.indices {
            guard let answer = devices[device].identity.flatMap({ events[$0] }) else { continue }
            deliveries.send(.events(answer), device, at: now + Simulation.registryDelay / 2)
        }
    }
}
