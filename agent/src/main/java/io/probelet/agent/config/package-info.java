/**
 * The configuration of an agent in a cluster: one YAML file, overridden by the environment and then
 * by the command line. Errors name line and path, as in manifests. Values are records that validate
 * themselves.
 */
@NullMarked
package io.probelet.agent.config;

import org.jspecify.annotations.NullMarked;
