/**
 * The pages of {@code docs/reference} that are generated. Each test fails when its page is stale;
 * {@code -Dprobelet.docs=write} writes the pages anew.
 */
package io.probelet.cli.reference;
