package io.probelet.nodehealth.remediation;

/** What came of looking for a template. */
public sealed interface TemplateLookup {
  /**
   * It is there.
   *
   * @param template the template
   */
  record Found(Template template) implements TemplateLookup {}

  /**
   * Nobody may tell, or nothing could be made from it: a right is missing.
   *
   * @param why which, and the rule that grants it
   */
  record Forbidden(String why) implements TemplateLookup {}

  /**
   * It is not.
   *
   * @param why no such object, no such kind, or no namespace although its kind needs one
   */
  record Missing(String why) implements TemplateLookup {}
}
