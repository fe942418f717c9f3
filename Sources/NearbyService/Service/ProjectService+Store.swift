import Logging
import Nearby

/// Writing into the store: many changes in one commit.
extension ProjectService {
    /// Returns when all that has changed until now is in the store. While one commit is under way, the next gathers.
    func commit() async throws(ServiceRefusal) {
        do {
            try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
                waiting.append(done)
                if !isCommitting {
                    isCommitting = true
                    Task { await writeBatches() }
                }
            }
        } catch {
            throw .unavailable("\(error)")
        }
    }

    /// Nobody waits for it: the log says why it failed, and the next commit tries it again.
    func commitUnasked() async {
        do throws(ServiceRefusal) { try await commit() } catch {
            log.debug("not kept yet", metadata: ["error": "\(error)"])
        }
    }

    /// When the store refused the last commit. Throws: it does so still.
    func commitAgain() async throws(ServiceRefusal) {
        if isStoreFailing { try await commit() }
    }

    private func writeBatches() async {
        while !waiting.isEmpty {
            let (saved, deleted, done) = (changed, departed, waiting)
            (changed, departed, waiting) = ([], [], [])
            storeStall.begin(at: clock.now, stall: watch.total(at: clock.now))
            defer { storeStall.end(at: clock.now, stall: watch.total(at: clock.now)) }
            do throws(StoreError) {
                try await store.commit(
                    saved.compactMap { state.stored($0) }, deleted: Array(deleted), under: lease,
                    clock: clock)
                for one in done { one.resume() }
                note(nil)
            } catch {
                note(error)
                changed.formUnion(saved.filter { state.members[$0] != nil })
                departed.formUnion(deleted)
                for one in done { one.resume(throwing: error) }
                if error == .superseded { abandon() }
            }
        }
        isCommitting = false
    }

    /// Says once that the store fails, and once that it does no more.
    private func note(_ error: StoreError?) {
        guard isStoreFailing != (error != nil) else { return }
        isStoreFailing = error != nil
        if let error {
            log.warning("the store takes no changes", metadata: ["error": "\(error)"])
        } else {
            log.info("the store takes changes again")
        }
    }
}
