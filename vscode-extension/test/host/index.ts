/** Runs the suite that the environment names. */

import { editing } from "./editing";
import { environments } from "./environments";
import { folders } from "./folders";
import { required, runSuite, type Test } from "./harness";
import { life } from "./life";

const SUITES: Record<string, (test: Test) => Promise<void>> = { editing, environments, folders, life };

export async function run(): Promise<void> {
  const suite = SUITES[required("DPLINT_SUITE")];
  if (suite === undefined) {
    throw new Error("there is no such suite");
  }
  await runSuite(suite);
}
