package io.probelet.monitor.check;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Counts zombies: processes that have ended and that their parents have not reaped. */
final class ZombiesCheck implements NodeCheck {
  /** The most parents, and the most zombies, whose owners are looked up. */
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

  /** The zombie children of one process; not all of their PIDs are kept. */
  private static final class Dead {
    private final List<Path> known = new ArrayList<>();
    private long count;
  }

  @Override
  public NodeCheckResult run() throws IOException {
    machine.requireNodeView("processes");
    Map<String, Dead> byParent = new HashMap<>();
    int[] kept = {0};
    boolean all =
        NodeProcesses.each(
            machine,
            maxProcesses,
            process -> {
              NodeProcesses.stat(process)
                  .filter(NodeProcesses.Stat::isZombie)
                  .ifPresent(stat -> {
                    Dead dead = byParent.computeIfAbsent(stat.parent(), _ -> new Dead());
                    dead.count++;
                    if (kept[0]++ < MAX_ASKED) {
                      dead.known.add(process);
                    }
                  });
              return true;
            });
    long zombies = byParent.values().stream().mapToLong(dead -> dead.count).sum();
    if (zombies > most) {
      return new NodeCheckResult.Problem(
          "more than " + most + " zombie processes" + owner(byParent, all));
    }
    return all
        ? NodeCheckResult.OK
        : new NodeCheckResult.Unknown(NodeProcesses.limitText(maxProcesses));
  }

  /** A parent outside of pods may have adopted orphans of pods. */
  private String owner(Map<String, Dead> byParent, boolean all) {
    Owners owners = new Owners(machine);
    List<Map.Entry<String, Dead>> parents =
        byParent.entrySet().stream()
            .sorted(Comparator.comparingLong(each -> -each.getValue().count))
            .toList();
    int asked = 0;
    for (Map.Entry<String, Dead> each : parents) {
      Dead dead = each.getValue();
      if (asked++ >= MAX_ASKED) {
        owners.add(Owner.UNKNOWN, dead.count);
        continue;
      }
      Path parent = machine.proc().resolve(each.getKey());
      Optional<Owner> pod = Owners.pod(parent);
      if (pod.isPresent()) {
        owners.add(pod.get(), dead.count);
        continue;
      }
      Owner other = owners.of(parent);
      for (Path zombie : dead.known) {
        owners.add(Owners.pod(zombie).orElse(other), 1);
      }
      owners.add(Owner.UNKNOWN, dead.count - dead.known.size());
    }
    if (!all || asked > MAX_ASKED) {
      owners.partial();
    }
    return owners.largest("them");
  }
}
