package io.probelet.web.page;

import io.probelet.web.api.ContainerCause;
import io.probelet.web.api.ContainerView;
import io.probelet.web.api.TerminationView;
import java.time.Instant;

/**
 * Draws the cause of a container's state: why it waits, how it ended last, and where its log is.
 */
public final class CauseHtml {
  private CauseHtml() {}

  /**
   * Draws the cause.
   *
   * @param most characters of a message that are shown
   * @return one element, which may have a log only
   */
  public static Html of(ContainerView container, Instant now, int most) {
    TerminationView last = container.lastTermination();
    String waits = ContainerCause.waits(container, most);
    Html html = new Html().open("p", "class", "cause");
    if (!waits.isEmpty()) {
      html.text(waits + " · ");
    }
    if (last != null) {
      html.text("last terminated with " + ContainerCause.ended(last));
      if (last.finishedAt() != null) {
        html.text(", ").add(Ago.of(last.finishedAt(), now));
      }
      String said = ContainerCause.quoted(last.message(), most);
      if (!said.isEmpty()) {
        html.text(": " + said);
      }
      html.text(" · ");
    }
    return html.text("log ").element("code", ContainerCause.log(container)).close("p");
  }
}
