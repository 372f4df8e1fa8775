package io.probelet.web.statistics;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.probelet.probe.PodRef;
import io.probelet.probe.engine.ContainerSnapshot;
import io.probelet.web.api.JsonDefaults;
import io.probelet.web.api.Rfc3339;
import io.probelet.web.api.ViewJson;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The statistics of an agent's probes. The same is kept on disk.
 *
 * @param containers sorted by namespace and pod
 * @param omitted containers that are left out, because the answer would be too large
 * @param usedBytes memory that statistics take at most
 * @param limitBytes memory that they may take
 * @param probesWithout probes without statistics because of that limit
 */
@JsonPropertyOrder({"containers", "omitted", "usedBytes", "limitBytes", "probesWithout"})
public record StatisticsView(
    List<ContainerStatistics> containers,
    int omitted,
    long usedBytes,
    long limitBytes,
    int probesWithout) {
  /** Values of JSON in all containers: fewer than any reader of an agent's answer accepts. */
  private static final int MAX_VALUES = 500_000;

  /** The same for containers, which are one list. */
  private static final int MAX_CONTAINERS = 5_000;

  /** Takes what another agent leaves out for empty. */
  public StatisticsView {
    containers = JsonDefaults.list(containers);
  }

  /**
   * What is known of one container.
   *
   * @param uid the pod's
   * @param role regular or sidecar
   * @param owner the controller that the pod names; null if there is none, or it is not known
   * @param restartCount instances before this one
   * @param startedAt when this instance started, RFC 3339 in UTC; null if it does not run
   */
  @JsonPropertyOrder({
    "namespace",
    "pod",
    "uid",
    "container",
    "role",
    "owner",
    "restartCount",
    "startedAt",
    "probes"
  })
  public record ContainerStatistics(
      String namespace,
      String pod,
      String uid,
      String container,
      String role,
      @JsonInclude(Include.NON_NULL) @Nullable Owner owner,
      int restartCount,
      @Nullable String startedAt,
      List<ProbeStatisticsView> probes) {
    /** Takes what another agent leaves out for empty. */
    public ContainerStatistics {
      namespace = JsonDefaults.text(namespace);
      pod = JsonDefaults.text(pod);
      uid = JsonDefaults.text(uid);
      container = JsonDefaults.text(container);
      role = JsonDefaults.text(role);
      probes = JsonDefaults.list(probes);
    }

    static ContainerStatistics of(ContainerSnapshot snapshot, @Nullable Owner owner) {
      PodRef pod = snapshot.status().pod();
      Instant startedAt = snapshot.status().observation().startedAt();
      return new ContainerStatistics(
          pod.namespace(),
          pod.name(),
          pod.uid(),
          snapshot.status().name(),
          snapshot.status().role().name().toLowerCase(Locale.ROOT),
          owner,
          snapshot.status().observation().restartCount(),
          startedAt == null ? null : Rfc3339.text(startedAt),
          snapshot.probes().stream().map(ProbeStatisticsView::of).toList());
    }

    private int values() {
      return 10 + probes.stream().mapToInt(ProbeStatisticsView::values).sum();
    }
  }

  /** The controller of a pod. */
  @JsonPropertyOrder({"kind", "name"})
  public record Owner(String kind, String name) {
    /** Takes what another agent leaves out for empty. */
    public Owner {
      kind = JsonDefaults.text(kind);
      name = JsonDefaults.text(name);
    }
  }

  /** What the statistics of all probes take. */
  public interface Usage {
    /** {@return bytes that they take at most} */
    long usedBytes();

    /** {@return bytes that they may take} */
    long limitBytes();

    /** {@return probes without statistics because of that limit} */
    int probesWithout();
  }

  /**
   * Shows containers.
   *
   * @param owners knows the controllers of pods
   */
  public static StatisticsView of(
      List<ContainerSnapshot> snapshots, Function<PodRef, Optional<Owner>> owners, Usage usage) {
    Shown shown = new Shown(snapshots, owners);
    List<ContainerStatistics> views = new ArrayList<>();
    shown.forEach(views::add);
    return new StatisticsView(
        views, shown.omitted(), usage.usedBytes(), usage.limitBytes(), usage.probesWithout());
  }

  /**
   * Writes the same as JSON container by container, so that its size does not matter.
   *
   * @param owners knows the controllers of pods
   * @param out where to; flushed, not closed
   * @throws IOException if it cannot be written
   */
  static void write(
      List<ContainerSnapshot> snapshots,
      Function<PodRef, Optional<Owner>> owners,
      Usage usage,
      OutputStream out)
      throws IOException {
    Shown shown = new Shown(snapshots, owners);
    out.write("{\"containers\":".getBytes(UTF_8));
    ViewJson.writeAll(shown, ContainerStatistics.class, out);
    out.write(
        ",\"omitted\":%d,\"usedBytes\":%d,\"limitBytes\":%d,\"probesWithout\":%d}"
            .formatted(
                shown.omitted(), usage.usedBytes(), usage.limitBytes(), usage.probesWithout())
            .getBytes(UTF_8));
    out.flush();
  }

  /** Containers with probes, as many as an answer may have; to be iterated over once. */
  private static final class Shown implements Iterable<ContainerStatistics> {
    private final List<ContainerSnapshot> wanted;
    private final Function<PodRef, Optional<Owner>> owners;
    private int shown;

    Shown(List<ContainerSnapshot> all, Function<PodRef, Optional<Owner>> owners) {
      this.wanted = all.stream().filter(each -> !each.probes().isEmpty()).toList();
      this.owners = owners;
    }

    /** {@return how many were left out, once the others have been iterated over} */
    int omitted() {
      return wanted.size() - shown;
    }

    @Override
    public Iterator<ContainerStatistics> iterator() {
      int[] values = {0};
      return wanted.stream()
          .limit(MAX_CONTAINERS)
          .map(each -> ContainerStatistics.of(each, owners.apply(each.status().pod()).orElse(null)))
          .takeWhile(view -> {
            values[0] += view.values();
            boolean fits = values[0] <= MAX_VALUES;
            shown += fits ? 1 : 0;
            return fits;
          })
          .iterator();
    }
  }
}
