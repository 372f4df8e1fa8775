package io.probelet.monitor.check;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Counts processes that have died and that nobody has reaped, which is up to their parents. */
final class ZombiesCheck implements NodeCheck {
  /** So many processes are asked whose they are. */
  private static final int MAX_ASKED = 10_000;

  private final int most;
  private final Machine machine;
  private final int maxProcesses;

  ZombiesCheck(int most, Machine machine) {
    this(most, machine, NodeProcesses.MAX);
  }

  ZombiesCheck(int most, Machine machine, int maxProcesses) {
    this.most = most;
    this.machine = machine;
    this.maxProcesses = maxProcesses;
  }

  @Override
  public NodeCheckResult run() throws IOException {
    machine.demandView("processes");
    Map<String, List<Path>> byParent = new HashMap<>();
    boolean all =
        NodeProcesses.each(
            machine,
            maxProcesses,
            process -> {
              NodeProcesses.stat(process)
                  .filter(NodeProcesses.Stat::isZombie)
                  .ifPresent(stat ->
                      byParent.computeIfAbsent(stat.parent(), _ -> new ArrayList<>()).add(process));
              return true;
            });
    long zombies = byParent.values().stream().mapToLong(List::size).sum();
    if (zombies > most) {
      return new NodeCheckResult.Problem(
          "more than " + most + " dead processes are not reaped" + owner(byParent, all));
    }
    return all
        ? NodeCheckResult.OK
        : new NodeCheckResult.Unknown(NodeProcesses.limitText(maxProcesses));
  }

  /** A parent outside of pods may have adopted what pods left behind. */
  private String owner(Map<String, List<Path>> byParent, boolean all) {
    Owners owners = new Owners(machine);
    List<Map.Entry<String, List<Path>>> parents =
        byParent.entrySet().stream()
            .sorted(Comparator.comparingInt(each -> -each.getValue().size()))
            .toList();
    int asked = 0;
    for (Map.Entry<String, List<Path>> each : parents) {
      List<Path> dead = each.getValue();
      Path parent = machine.proc().resolve(each.getKey());
      Optional<Owner> pod = asked++ < MAX_ASKED ? Owners.pod(parent) : Optional.empty();
      if (pod.isPresent()) {
        owners.add(pod.get(), dead.size());
        continue;
      }
      Owner other = asked < MAX_ASKED ? owners.of(parent) : Owner.UNKNOWN;
      for (Path zombie : dead) {
        owners.add(asked++ < MAX_ASKED ? Owners.pod(zombie).orElse(other) : other, 1);
      }
    }
    if (!all || asked > MAX_ASKED) {
      owners.partial();
    }
    return owners.largest("them");
  }
}
