/**
 * The manifests that users apply. They are held against the program that they start, and the ways
 * to get them against each other.
 */
package io.probelet.cli.deploy;
