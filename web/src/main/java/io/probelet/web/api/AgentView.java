package io.probelet.web.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The agent itself as {@code GET /api/v1/node} shows it: its resource usage and problems.
 *
 * @param startTime when it started, RFC 3339 in UTC; empty if unknown
 * @param trouble which event loop is not making progress; empty while all are
 * @param cpu CPU time; null if that is not known
 * @param memory in bytes; null if that is not known
 * @param openFiles open files and sockets; null if that is not known
 * @param stalls when it stood still
 * @param guard the mass-failure guard; null where there is none
 * @param manifests the manifests it runs; null where pods come from elsewhere
 */
@JsonPropertyOrder({
  "version",
  "startTime",
  "trouble",
  "cpu",
  "memory",
  "openFiles",
  "queues",
  "loops",
  "stalls",
  "guard",
  "manifests"
})
public record AgentView(
    String version,
    String startTime,
    String trouble,
    @JsonInclude(Include.NON_NULL) @Nullable Cpu cpu,
    @JsonInclude(Include.NON_NULL) @Nullable Memory memory,
    @JsonInclude(Include.NON_NULL) @Nullable Long openFiles,
    List<Queue> queues,
    List<Loop> loops,
    Stalls stalls,
    @JsonInclude(Include.NON_NULL) @Nullable GuardView guard,
    @JsonInclude(Include.NON_NULL) @Nullable ManifestsView manifests) {

  /** Takes what another agent leaves out for empty. */
  @SuppressWarnings("ConstantValue") // JSON may leave out anything
  public AgentView {
    version = JsonDefaults.text(version);
    startTime = JsonDefaults.text(startTime);
    trouble = JsonDefaults.text(trouble);
    queues = JsonDefaults.list(queues);
    loops = JsonDefaults.list(loops);
    stalls = stalls == null ? Stalls.NONE : stalls;
  }

  /**
   * CPU time spent, user and system.
   *
   * @param seconds since the start
   * @param percent of one core, lately
   * @param overSeconds how long that is, at most about a minute, or since the start
   */
  @JsonPropertyOrder({"seconds", "percent", "overSeconds"})
  public record Cpu(double seconds, double percent, double overSeconds) {}

  /**
   * Memory, in bytes.
   *
   * @param heapMax how large that may become
   */
  @JsonPropertyOrder({"resident", "heapUsed", "heapMax"})
  public record Memory(long resident, long heapUsed, long heapMax) {}

  /**
   * A queue.
   *
   * @param length what waits in it, or is under way
   * @param limit how much may; null if it has no limit of its own
   */
  @JsonPropertyOrder({"name", "length", "limit"})
  public record Queue(
      String name, long length, @JsonInclude(Include.NON_NULL) @Nullable Long limit) {
    /** Takes what another agent leaves out for empty. */
    public Queue {
      name = JsonDefaults.text(name);
    }
  }

  /**
   * How late an event loop is, in milliseconds.
   *
   * @param meanLagMs since the start
   * @param maxLagMs of the last minutes
   */
  @JsonPropertyOrder({"loop", "meanLagMs", "maxLagMs"})
  public record Loop(String loop, double meanLagMs, double maxLagMs) {
    /** Takes what another agent leaves out for empty. */
    public Loop {
      loop = JsonDefaults.text(loop);
    }
  }

  /**
   * When the agent stood still for a second or longer, since its start.
   *
   * @param seconds how long in all
   * @param last when the newest ended, RFC 3339 in UTC; empty if there was none
   * @param discardedProbes whose outcome was thrown away because of stalls, short ones included
   */
  @JsonPropertyOrder({"count", "seconds", "last", "discardedProbes"})
  public record Stalls(long count, double seconds, String last, long discardedProbes) {
    /** There was none. */
    public static final Stalls NONE = new Stalls(0, 0, "", 0);

    /** Takes what another agent leaves out for empty. */
    public Stalls {
      last = JsonDefaults.text(last);
    }
  }
}
