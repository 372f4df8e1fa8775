package io.probelet.runtime.confine;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.process.Account;
import io.probelet.runtime.confine.ConfinementPlan.Enforced;
import io.probelet.runtime.confine.ConfinementPlan.Identity;
import io.probelet.runtime.confine.ConfinementPlan.Refused;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ConfinerTest {
  private static final Path SETPRIV = Path.of("/usr/bin/setpriv");
  private static final Capability NET_RAW = Capability.of("NET_RAW").orElseThrow();
  private static final Capability CHOWN = Capability.of("cap_chown").orElseThrow();
  private static final OwnPrivileges ROOT =
      new OwnPrivileges(0, 0, Set.of(), Capability.all(), Capability.all());
  private static final OwnPrivileges DEVELOPER =
      new OwnPrivileges(1000, 1000, Set.of(27, 999), Set.of(), Capability.all());

  private static Optional<Account> known(int user) {
    return user == 1000 ? Optional.of(new Account(user, 100, "/home/me")) : Optional.empty();
  }

  @Test
  @DisplayName("nothing asked, nothing done, whoever Probelet is")
  void nothing() {
    Enforced untouched = new Enforced(List.of(), null, Limits.NONE);
    assertThat(confiner(ROOT).plan(Confinement.NONE)).isEqualTo(untouched);
    assertThat(confiner(DEVELOPER).plan(Confinement.NONE)).isEqualTo(untouched);
  }

  @Test
  @DisplayName("root starts another user with the group and home the machine has for it")
  void knownUser() {
    assertThat(confiner(ROOT).plan(user(1000, null)))
        .isEqualTo(
            enforced(
                new Identity(1000, "/home/me"), "--reuid=1000", "--regid=100", "--clear-groups"));
  }

  @Test
  @DisplayName("a user the machine does not know gets nobody's group, not root's")
  void unknownUser() {
    assertThat(confiner(ROOT).plan(user(4711, null)))
        .isEqualTo(
            enforced(new Identity(4711, "/"), "--reuid=4711", "--regid=65534", "--clear-groups"));
  }

  @Test
  @DisplayName("groups are those of the manifest and none of Probelet's")
  void groups() {
    Confinement asked =
        new Confinement(1000, 50, true, List.of(7, 3, 7), true, CapabilityChange.NONE, Limits.NONE);
    assertThat(confiner(ROOT).plan(asked))
        .isEqualTo(
            enforced(
                new Identity(1000, "/home/me"),
                "--reuid=1000",
                "--regid=50",
                "--groups=3,7",
                "--no-new-privs"));
  }

  @Test
  @DisplayName("runAsNonRoot refuses root, be it asked for or Probelet's own user")
  void nonRoot() {
    assertThat(refusal(ROOT, nonRoot(null))).contains("runAsNonRoot", "set runAsUser");
    assertThat(refusal(ROOT, nonRoot(0))).contains("runAsNonRoot", "runAsUser is 0");
    assertThat(confiner(ROOT).plan(nonRoot(1000))).isInstanceOf(Enforced.class);
    assertThat(confiner(DEVELOPER).plan(nonRoot(null))).isInstanceOf(Enforced.class);
  }

  @Test
  @DisplayName("who is not root can start its own user only, with its own groups only")
  void developer() {
    assertThat(confiner(DEVELOPER).plan(user(1000, 1000)))
        .isEqualTo(new Enforced(List.of(), null, Limits.NONE));
    assertThat(refusal(DEVELOPER, user(1001, null)))
        .contains("runAsUser", "user 1000", "user 1001", "start Probelet as root");
    assertThat(refusal(DEVELOPER, user(1000, 0))).contains("runAsGroup", "group 0");
    assertThat(refusal(DEVELOPER, groups(27, 28, 29))).contains("no group 28, 29");
    assertThat(confiner(DEVELOPER).plan(groups(27, 1000))).isInstanceOf(Enforced.class);
  }

  @Test
  @DisplayName("drop ALL empties every set and keeps what is added")
  void dropAll() {
    CapabilityChange change =
        new CapabilityChange(false, Set.of(NET_RAW, CHOWN), true, Set.of(CHOWN));
    assertThat(confiner(ROOT).plan(capabilities(change)))
        .isEqualTo(
            enforced(
                null, "--bounding-set=-all,+net_raw", "--inh-caps=-all", "--ambient-caps=-all"));
  }

  @Test
  @DisplayName("single ones are dropped from what Probelet has")
  void dropSome() {
    CapabilityChange change = new CapabilityChange(false, Set.of(), false, Set.of(NET_RAW, CHOWN));
    assertThat(confiner(ROOT).plan(capabilities(change)))
        .isEqualTo(
            enforced(
                null, "--bounding-set=-chown,-net_raw", "--inh-caps=-all", "--ambient-caps=-all"));
  }

  @Test
  @DisplayName("who has none to drop keeps its children from ever getting one")
  void dropUnprivileged() {
    CapabilityChange change = new CapabilityChange(false, Set.of(), true, Set.of());
    assertThat(confiner(DEVELOPER).plan(capabilities(change)))
        .isEqualTo(enforced(null, "--inh-caps=-all", "--ambient-caps=-all", "--no-new-privs"));
  }

  @Test
  @DisplayName("root without SETPCAP cannot drop any, and says so")
  void dropWithoutSetpcap() {
    OwnPrivileges weak = new OwnPrivileges(0, 0, Set.of(), Set.of(CHOWN), Set.of(CHOWN, NET_RAW));
    CapabilityChange change = new CapabilityChange(false, Set.of(), true, Set.of());
    assertThat(refusal(weak, capabilities(change))).contains("capabilities.drop", "SETPCAP");
  }

  @Test
  @DisplayName("a capability that Probelet lacks is given to nobody")
  void addMissing() {
    CapabilityChange one = new CapabilityChange(false, Set.of(NET_RAW), false, Set.of());
    CapabilityChange all = new CapabilityChange(true, Set.of(), false, Set.of());
    assertThat(refusal(DEVELOPER, capabilities(one))).contains("capabilities.add", "NET_RAW");
    assertThat(refusal(DEVELOPER, capabilities(all))).contains("capabilities.add", "SYS_ADMIN");
    assertThat(confiner(ROOT).plan(capabilities(all))).isInstanceOf(Enforced.class);
  }

  @Test
  @DisplayName("without setpriv nothing that needs it starts")
  void noSetpriv() {
    Confiner confiner =
        new Confiner(ROOT, ConfinerTest::known, Optional.empty(), _ -> Optional.empty());
    assertThat(confiner.plan(user(1000, null)))
        .isInstanceOfSatisfying(
            Refused.class, it -> assertThat(it.message()).contains("setpriv", "util-linux"));
    assertThat(confiner.plan(Confinement.NONE)).isInstanceOf(Enforced.class);
  }

  @Test
  @DisplayName("limits without a control group are refused, with its reason")
  void noControlGroup() {
    Confiner confiner =
        new Confiner(
            ROOT, ConfinerTest::known, Optional.of(SETPRIV), _ -> Optional.of("memory: not here"));
    Limits limits = new Limits(1L << 20, null);
    Confinement asked =
        new Confinement(null, null, false, List.of(), false, CapabilityChange.NONE, limits);
    assertThat(confiner.plan(asked)).isEqualTo(new Refused("resources.limits: memory: not here"));
    assertThat(confiner(ROOT).plan(asked)).isEqualTo(new Enforced(List.of(), null, limits));
  }

  private static Confiner confiner(OwnPrivileges own) {
    return new Confiner(own, ConfinerTest::known, Optional.of(SETPRIV), _ -> Optional.empty());
  }

  private static String refusal(OwnPrivileges own, Confinement asked) {
    ConfinementPlan plan = confiner(own).plan(asked);
    assertThat(plan).isInstanceOf(Refused.class);
    return ((Refused) plan).message();
  }

  private static Enforced enforced(@Nullable Identity identity, String... options) {
    List<String> words = new java.util.ArrayList<>(List.of(SETPRIV.toString()));
    words.addAll(List.of(options));
    words.add("--");
    return new Enforced(words, identity, Limits.NONE);
  }

  private static Confinement user(@Nullable Integer user, @Nullable Integer group) {
    return new Confinement(
        user, group, false, List.of(), false, CapabilityChange.NONE, Limits.NONE);
  }

  private static Confinement nonRoot(@Nullable Integer user) {
    return new Confinement(user, null, true, List.of(), false, CapabilityChange.NONE, Limits.NONE);
  }

  private static Confinement groups(Integer... groups) {
    return new Confinement(
        null, null, false, List.of(groups), false, CapabilityChange.NONE, Limits.NONE);
  }

  private static Confinement capabilities(CapabilityChange change) {
    return new Confinement(null, null, false, List.of(), false, change, Limits.NONE);
  }
}
