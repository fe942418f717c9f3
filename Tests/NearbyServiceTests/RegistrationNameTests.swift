import Nearby
import Signal
import Testing

@testable import NearbyService

@Suite struct RegistrationNameTests {
    private let name = "abcdefghijklmnopqrstuv"
    private func key(_ number: Int64, of project: Int64 = 1) -> APIKey {
        APIKey(id: KeyID(number), project: ProjectID(project), label: "")
    }

    /// A name gives one secret, which depends on the API key, and which another process does not give.
    @Test func aNameGivesOneSecret() {
        var random = SplitMix64(seed: 1)
        var names = RegistrationNames(random: &random, now: .start)
        func secret(_ name: String, _ key: APIKey) -> String {
            names.secrets(name, key: key, random: &random, now: .start).new.text
        }
        let first = secret(name, key(1))
        #expect(secret(name, key(1)) == first && first.hasPrefix("nbd_1_") && first.utf8.count == 50)
        let others = [
            secret(name + "x", key(1)), secret(name, key(2)), secret(name, key(1, of: 2)),
        ]
        #expect(Set(others + [first]).count == 4)
        var process = RegistrationNames(random: &random, now: .start)
        #expect(process.secrets(name, key: key(1), random: &random, now: .start).new.text != first)
    }

    /// A secret is found again for one period at least, and never after two.
    @Test func aNameIsForgotten() {
        var random = SplitMix64(seed: 2)
        var names = RegistrationNames(random: &random, now: .start)
        func secrets(_ seconds: Int) -> (new: Secret, earlier: Secret?) {
            names.secrets(name, key: key(1), random: &random, now: .start + .seconds(seconds))
        }
        let first = secrets(299)
        #expect(first.earlier == nil)
        let second = secrets(598)
        #expect(second.earlier?.text == first.new.text && second.new.text != first.new.text)
        let third = secrets(900)
        #expect(third.earlier?.text == second.new.text)
        #expect(secrets(2000).earlier == nil)
    }

    @Test(arguments: [
        "", "short", "abcdefghijklmnopqrstu", "abcdefghijklmnopqrstu\"", "ä" + "abcdefghijklmnopqrstuv",
    ])
    func aNameHasAForm(name: String) {
        #expect(throws: ServiceRefusal.self) { try RegistrationNames.check(name) }
    }
}
