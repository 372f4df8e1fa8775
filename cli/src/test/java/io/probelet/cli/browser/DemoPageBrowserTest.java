package io.probelet.cli.browser;

import static io.probelet.cli.browser.BrowserTab.DESK;
import static io.probelet.cli.browser.BrowserTab.PHONE;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.TextNode;
import io.probelet.fleet.DemoCluster;
import io.probelet.fleet.ui.ServedFleet;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.extension.ExtendWith;

/** The pages of {@code probelet ui --demo}, as Chromium shows them. */
@EnabledIf(
    value = "io.probelet.cli.browser.Chromium#isInstalled",
    disabledReason = "chromium is not installed: no page is tried in a browser")
@ExtendWith(BrowserExtension.class)
class DemoPageBrowserTest {
  private ServedFleet demo;

  @BeforeEach
  void serve() throws IOException {
    demo = ServedFleet.demo();
  }

  @AfterEach
  void close() {
    demo.close();
  }

  private void enter(BrowserTab tab) {
    tab.load(demo.address());
    tab.until("document.querySelector('h1')?.textContent === 'Fleet'");
  }

  @Test
  void axeFindsNothing(BrowserTab tab) {
    enter(tab);
    for (String path :
        List.of(
            "",
            "nodes",
            "node?name=worker-b-3",
            "node?name=worker-c-5",
            "agent?name=worker-a-2",
            "agent?name=worker-c-5",
            "containers",
            "timeline",
            "simulate?check=web-workers&down=pool%3Dweb&minHealthy=90%25")) {
      tab.width(DESK).dark(false).load(demo.page(path));
      assertThat(tab.text()).as(path).contains(DemoCluster.NOTICE);
      assertThat(Axe.violations(tab)).as(path).isEmpty();
      assertThat(tab.pageWidth()).as(path).isLessThanOrEqualTo(DESK);
      tab.width(PHONE).dark(true);
      assertThat(Axe.violationsOfLooks(tab)).as(path).isEmpty();
      assertThat(tab.pageWidth()).as(path).isLessThanOrEqualTo(PHONE);
    }
    assertThat(tab.complaints()).isEmpty();
  }

  @Test
  void movesWithoutBeingLoadedAgain(BrowserTab tab) {
    enter(tab);
    tab.load(demo.page("node?name=worker-a-7"));
    String before = new TextNode(tab.text()).toString();
    tab.until("document.body.innerText !== " + before);
  }
}
