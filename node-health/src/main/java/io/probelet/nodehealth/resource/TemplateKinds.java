package io.probelet.nodehealth.resource;

/** What is known about the templates of a kind. */
@FunctionalInterface
public interface TemplateKinds {
  /** Nothing is known. */
  TemplateKinds UNKNOWN = (_, _) -> Several.UNKNOWN;

  /** Whether several templates of one kind may be used for one node. */
  enum Several {
    /** Templates exist, and all have the annotation that allows it. */
    ALLOWED,
    /** There are none, or one lacks the annotation. */
    REFUSED,
    /** The cluster cannot be queried. */
    UNKNOWN
  }

  /** Queries a kind. */
  Several severalOf(String apiVersion, String kind);
}
