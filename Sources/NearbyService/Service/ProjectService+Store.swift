import Logging
import Nearby

/// The part that writes many changes to the store in one commit.
extension ProjectService {
    /// Returns when the store has all changes made until now. While one commit is in progress, further
    /// changes gather for the next.
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

    /// Commits without a caller that needs the result. A failure goes to the log, and the next commit tries
    /// again.
    func commitUnasked() async {
        do throws(ServiceRefusal) { try await commit() } catch {
            log.debug("not kept yet", metadata: ["error": "\(error)"])
        }
    }

    /// Commits again if the store refused the last commit. Throws: the refusal, if the store still refuses.
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
                    saved.compactMap { state.stored($0) }, deleted: Array(deleted), under: lease)
                for one in done { one.resume() }
                note(nil)
            } catch {
                note(error)
                changed.formUnion(saved.filter { state.devices[$0] != nil })
                departed.formUnion(deleted)
                for one in done { one.resume(throwing: error) }
                if error == .superseded { abandon() }
            }
        }
        isCommitting = false
    }

    /// Logs once that the store fails, and once that it works again.
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
