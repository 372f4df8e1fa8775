package io.probelet.agent.remediation;

import io.probelet.agent.remediation.RemediationView.CheckView;
import java.io.IOException;
import java.io.PrintWriter;

/** What {@code probelet status --remediation} prints. */
public final class RemediationStatus {
  private final RemediationView view;
  private final String json;

  private RemediationStatus(RemediationView view, String json) {
    this.view = view;
    this.json = json;
  }

  /**
   * Reads an agent's answer.
   *
   * @param json the answer
   * @return the status
   * @throws IOException if it is no such answer
   */
  public static RemediationStatus read(byte[] json) throws IOException {
    RemediationView view = RemediationView.parse(json);
    return new RemediationStatus(view, view.json());
  }

  /** {@return whether every node is healthy or being remediated, as far as this agent knows} */
  public boolean isFine() {
    return view.leading()
        && view.nodeHealthChecks().stream()
            .map(CheckView::unhealthyNodes)
            .flatMap(nodes -> nodes.stream())
            .noneMatch(node -> node.heldBack() != null);
  }

  /**
   * Prints it as a table.
   *
   * @param out where to
   */
  public void print(PrintWriter out) {
    RemediationTable.lines(view).forEach(out::println);
    out.flush();
  }

  /**
   * Prints it as JSON.
   *
   * @param out where to
   */
  public void printJson(PrintWriter out) {
    out.println(json);
    out.flush();
  }
}
