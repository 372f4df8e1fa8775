package io.probelet.nodehealth.controller;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Version;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A Node of which only what remediation needs is read: not the images and the managed fields, which
 * are most of it.
 */
@Group("")
@Version("v1")
@Kind("Node")
@Plural("nodes")
@JsonDeserialize(using = JsonDeserializer.None.class)
@JsonIgnoreProperties(ignoreUnknown = true)
public final class NodeObject implements HasMetadata {
  private static final long serialVersionUID = 1;

  private String apiVersion = "v1";

  @JsonIgnoreProperties({"managedFields", "ownerReferences", "finalizers"})
  private ObjectMeta metadata = new ObjectMeta();

  private @Nullable Status status;

  /** Created by Jackson. */
  public NodeObject() {}

  /** What remediation needs of the status. */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public static final class Status {
    private List<Condition> conditions = List.of();

    /** Created by Jackson. */
    public Status() {}

    /** {@return the conditions} */
    public List<Condition> getConditions() {
      return conditions;
    }

    /**
     * Sets the conditions.
     *
     * @param conditions the conditions
     */
    public void setConditions(List<Condition> conditions) {
      this.conditions = conditions;
    }
  }

  /**
   * What remediation needs of a condition.
   *
   * @param type its type
   * @param status its status
   * @param lastTransitionTime since when, as it is written
   */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record Condition(String type, String status, @Nullable String lastTransitionTime) {}

  @Override
  public ObjectMeta getMetadata() {
    return metadata;
  }

  @Override
  public void setMetadata(ObjectMeta metadata) {
    this.metadata = metadata;
  }

  @Override
  public String getApiVersion() {
    return apiVersion;
  }

  @Override
  public void setApiVersion(String apiVersion) {
    this.apiVersion = apiVersion;
  }

  /** {@return the status; null if there is none yet} */
  public @Nullable Status getStatus() {
    return status;
  }

  /**
   * Sets the status.
   *
   * @param status the status
   */
  public void setStatus(@Nullable Status status) {
    this.status = status;
  }
}
