// Processes of the machine, by what stands in their command line.
import { execFileSync } from "node:child_process";

/** The command lines that hold a text, but for those that ask for it. */
export function processesWith(text) {
  return execFileSync("ps", ["-ww", "-eo", "pid=,args="], { encoding: "utf8" })
    .split("\n")
    .filter((line) => line.includes(text) && !line.includes("ps -ww"));
}
