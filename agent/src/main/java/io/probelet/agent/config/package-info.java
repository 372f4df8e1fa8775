/**
 * What an agent in a cluster is configured to do: one YAML file, over which the environment and
 * then the command line prevail. The file is read like a manifest, so that every mistake is named
 * with its line and path; values are records that are right once they exist.
 */
@NullMarked
package io.probelet.agent.config;

import org.jspecify.annotations.NullMarked;
