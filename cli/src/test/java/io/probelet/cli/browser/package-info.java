/**
 * The program's pages as a browser shows them: Debian's Chromium, driven by its debugging protocol.
 * One browser serves all tests of a JVM; where there is none they are skipped.
 */
package io.probelet.cli.browser;
