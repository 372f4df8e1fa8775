package io.probelet.kube.workload;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.kube.ApiResult;
import io.probelet.kube.ApiResult.Done;
import io.probelet.kube.ApiResult.Unanswered;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Leases with versions, as in an API server; a test may intervene before and after calls. */
public final class CasStore implements CounterStore {
  public final TreeMap<String, ObjectNode> leases = new TreeMap<>();
  public int calls;
  public Runnable before = () -> {};
  public Runnable after = () -> {};

  /** A faulty response; null for the real one. */
  public @Nullable ApiResult instead;

  /** Whether writes succeed but responses are lost. */
  public boolean losesAnswers;

  private int version = 100;

  private ApiResult call(Supplier<ApiResult> task) {
    calls++;
    before.run();
    ApiResult answer = instead != null ? instead : task.get();
    after.run();
    return answer;
  }

  @Override
  public ApiResult read(String name) {
    return call(() -> {
      ObjectNode lease = leases.get(name);
      return lease == null ? refused(404) : new Done(lease.deepCopy());
    });
  }

  @Override
  public ApiResult create(ObjectNode lease) {
    return call(() -> {
      String name = lease.at("/metadata/name").asText();
      return leases.containsKey(name) ? refused(409) : written(lease.deepCopy());
    });
  }

  @Override
  public ApiResult patch(String name, ObjectNode patch) {
    return call(() -> {
      ObjectNode lease = leases.get(name);
      if (lease == null) {
        return refused(404);
      }
      JsonNode seen = patch.at("/metadata/resourceVersion");
      if (!seen.equals(lease.at("/metadata/resourceVersion"))) {
        return refused(409);
      }
      ObjectNode annotations = lease.withObject("metadata").withObject("annotations");
      patch
          .at("/metadata/annotations")
          .properties()
          .forEach(each -> {
            if (each.getValue() instanceof NullNode) {
              annotations.remove(each.getKey());
            } else {
              annotations.set(each.getKey(), each.getValue());
            }
          });
      return written(lease);
    });
  }

  @Override
  public String namespace() {
    return "probelet-system";
  }

  private ApiResult written(ObjectNode lease) {
    ObjectNode stored = put(lease);
    return losesAnswers ? new Unanswered("lost") : new Done(stored.deepCopy());
  }

  private ObjectNode put(ObjectNode lease) {
    lease.withObject("metadata").put("resourceVersion", Integer.toString(++version));
    leases.put(lease.at("/metadata/name").asText(), lease);
    return lease;
  }

  /** The current counter of a workload. */
  RestartCounter counter(Workload workload) {
    return counter(workload, WorkloadBudget.RESTARTS);
  }

  private RestartCounter counter(Workload workload, WorkloadBudget budget) {
    return RestartCounter.read(leases.get(workload.lease(budget)));
  }

  /** The number of pods of a workload in a budget. */
  public int count(Workload workload, WorkloadBudget budget) {
    return leases.containsKey(workload.lease(budget)) ? counter(workload, budget).count() : 0;
  }

  /** The controller sets the number of replicas for a budget. */
  public void replicas(Workload workload, WorkloadBudget budget, int replicas) {
    var _ = patch(workload.lease(budget), counter(workload, budget).withReplicas(replicas));
  }

  /** The number of restarting pods of a workload. */
  public int restarting(Workload workload) {
    return leases.containsKey(workload.lease()) ? counter(workload).count() : 0;
  }

  /** The controller sets the number of replicas. */
  public void replicas(Workload workload, int replicas) {
    var _ = patch(workload.lease(), counter(workload).withReplicas(replicas));
  }

  public static ApiResult refused(int code) {
    return ApiResult.failure(code, "refused by the test", null);
  }
}
