package io.probelet.nodehealth.resource;

/** What is known about the templates of a kind. */
@FunctionalInterface
public interface TemplateKinds {
  /** Nothing is known. */
  TemplateKinds UNKNOWN = (_, _) -> Several.UNKNOWN;

  /** Whether several templates of one kind may be used for one node. */
  enum Several {
    /** There are some, and every one carries the annotation that allows it. */
    ALLOWED,
    /** There is none, or one without the annotation. */
    REFUSED,
    /** The cluster cannot be asked. */
    UNKNOWN
  }

  /** Asks for a kind. */
  Several severalOf(String apiVersion, String kind);
}
