package io.probelet.runtime.confine;

import io.probelet.process.Account;
import io.probelet.runtime.confine.ConfinementPlan.Enforced;
import io.probelet.runtime.confine.ConfinementPlan.Identity;
import io.probelet.runtime.confine.ConfinementPlan.Refused;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.Collectors;

/**
 * Decides how a container is held to what its manifest asks, or why that is not possible here. A
 * function of what is asked and of what Probelet may do itself.
 *
 * <p>Where the rules of Kubernetes start from an image and a runtime's defaults, these start from
 * what Probelet is: its user, its capabilities. Ambient and inheritable capabilities are emptied
 * whenever any is dropped, and a user other than root has none of those added in use, as in
 * Kubernetes: they are in its bounding set only.
 */
public final class Confiner {
  /** For users the machine does not know; unlike root's group it owns nothing. */
  static final int NOBODYS_GROUP = 65534;

  private static final int ROOT = 0;

  private final OwnPrivileges own;
  private final IntFunction<Optional<Account>> users;
  private final Optional<Path> setpriv;
  private final Function<Limits, Optional<String>> shortfall;

  /**
   * Creates a decider.
   *
   * @param own what Probelet may do
   * @param users finds who the machine knows, by number; their groups' numbers are ints
   * @param setpriv the program of util-linux, empty if it is not installed
   * @param shortfall why limits cannot be enforced here; empty when they can
   */
  public Confiner(
      OwnPrivileges own,
      IntFunction<Optional<Account>> users,
      Optional<Path> setpriv,
      Function<Limits, Optional<String>> shortfall) {
    this.own = own;
    this.users = users;
    this.setpriv = setpriv;
    this.shortfall = shortfall;
  }

  /**
   * Decides for one container.
   *
   * @return how, or why not
   */
  public ConfinementPlan plan(Confinement asked) {
    try {
      int user = asked.user() == null ? own.user() : asked.user();
      checkNonRoot(asked, user);
      List<String> options = new ArrayList<>(identity(asked, user));
      boolean sealed = asked.noNewPrivileges();
      if (asked.capabilities().drops()) {
        sealed |= !own.can(Capability.SETPCAP);
        options.addAll(dropped(asked.capabilities(), user));
      }
      checkAdded(asked.capabilities());
      if (sealed) {
        options.add("--no-new-privs");
      }
      if (asked.limits().any()) {
        refuseIf(shortfall.apply(asked.limits()).map(why -> "resources.limits: " + why));
      }
      return new Enforced(words(options), switched(user), asked.limits());
    } catch (CannotException reason) {
      return new Refused(reason.text);
    }
  }

  private void checkNonRoot(Confinement asked, int user) throws CannotException {
    if (asked.nonRoot() && user == ROOT) {
      throw new CannotException(
          asked.user() == null
              ? "securityContext.runAsNonRoot: the container would run as root, as Probelet does;"
                  + " set runAsUser to another user"
              : "securityContext.runAsNonRoot: runAsUser is 0, which is root");
    }
  }

  private List<String> identity(Confinement asked, int user) throws CannotException {
    boolean otherUser = user != own.user();
    int group = group(asked, user, otherUser);
    boolean otherGroup = group != own.group();
    if (otherUser && !own.can(Capability.SETUID)) {
      throw new CannotException(
          "securityContext.runAsUser: Probelet runs as user %d and cannot start a process as user %d;"
                  .formatted(own.user(), user)
              + " start Probelet as root");
    }
    boolean mayChooseGroups = own.can(Capability.SETGID);
    if ((otherGroup || otherUser) && !mayChooseGroups) {
      throw new CannotException(
          "securityContext.runAsGroup: Probelet runs with group %d and cannot start a process with"
                  .formatted(own.group())
              + " group "
              + group
              + "; start Probelet as root");
    }
    Set<Integer> groups = new TreeSet<>(asked.groups());
    if (!mayChooseGroups) {
      groups.removeAll(own.groups());
      groups.remove(own.group());
      if (!groups.isEmpty()) {
        throw new CannotException(
            "securityContext.supplementalGroups, fsGroup: Probelet has no group %s and may not take it;"
                    .formatted(list(groups))
                + " start Probelet as root");
      }
      return List.of();
    }
    if (!otherUser && !otherGroup && groups.isEmpty()) {
      return List.of();
    }
    List<String> options = new ArrayList<>();
    if (otherUser) {
      options.add("--reuid=" + user);
    }
    options.add("--regid=" + group);
    // The groups Probelet itself is in, docker say, are nothing that the manifest asked for.
    options.add(groups.isEmpty() ? "--clear-groups" : "--groups=" + list(groups).replace(" ", ""));
    return options;
  }

  private int group(Confinement asked, int user, boolean otherUser) {
    if (asked.group() != null) {
      return asked.group();
    }
    return otherUser
        ? users.apply(user).map(Account::gid).map(Math::toIntExact).orElse(NOBODYS_GROUP)
        : own.group();
  }

  private List<String> dropped(CapabilityChange change, int user) throws CannotException {
    List<String> options = new ArrayList<>();
    if (own.can(Capability.SETPCAP)) {
      Set<Capability> kept = change.of(own.bounding());
      Set<Capability> lost = new HashSet<>(own.bounding());
      lost.removeAll(kept);
      List<String> bounds = new ArrayList<>();
      if (change.dropAll()) {
        bounds.add("-all"); // those too that this program does not know
        bounds.addAll(Capability.words("+", kept));
      } else {
        bounds.addAll(Capability.words("-", lost));
      }
      if (!bounds.isEmpty()) {
        options.add("--bounding-set=" + String.join(",", bounds));
      }
    } else if (user == ROOT) {
      throw new CannotException(
          "securityContext.capabilities.drop: Probelet runs as root without the capability SETPCAP,"
              + " so it cannot keep root from the others");
    }
    // Without SETPCAP the bounding set stays; but who has none and no way to new ones has none.
    options.add("--inh-caps=-all");
    options.add("--ambient-caps=-all");
    return options;
  }

  private void checkAdded(CapabilityChange change) throws CannotException {
    Set<Capability> added = new TreeSet<>(change.addAll() ? Capability.all() : change.add());
    added.removeAll(change.drop());
    added.removeAll(own.effective());
    if (!added.isEmpty()) {
      throw new CannotException(
          "securityContext.capabilities.add: Probelet does not have %s itself and so cannot give it"
              .formatted(list(added)));
    }
  }

  private List<String> words(List<String> options) throws CannotException {
    if (options.isEmpty()) {
      return List.of();
    }
    Path program =
        setpriv.orElseThrow(() ->
            new CannotException(
                "securityContext: the program setpriv, which would see to it, is not installed;"
                    + " it is part of util-linux"));
    List<String> words = new ArrayList<>(List.of(program.toString()));
    words.addAll(options);
    words.add("--");
    return words;
  }

  private @org.jspecify.annotations.Nullable Identity switched(int user) {
    return user == own.user()
        ? null
        : new Identity(user, users.apply(user).map(Account::home).orElse(Account.NO_HOME));
  }

  private static void refuseIf(Optional<String> message) throws CannotException {
    if (message.isPresent()) {
      throw new CannotException(message.get());
    }
  }

  private static String list(Collection<?> some) {
    return some.stream().map(String::valueOf).collect(Collectors.joining(", "));
  }

  /** The way out of a decision that ends in a refusal. */
  private static final class CannotException extends Exception {
    private static final long serialVersionUID = 1;

    private final String text;

    CannotException(String text) {
      super(text);
      this.text = text;
    }
  }
}
