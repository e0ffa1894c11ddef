// Why a request was not answered as hoped.

import type { ProblemBody } from "./schema.js";

export type Problem = ProblemBody;

/** The server said no. Decide by `code`. */
export class Refused extends Error {
  override readonly name = "Refused";
  readonly code: string;
  readonly status: number;

  constructor(
    readonly problem: Problem,
    /** How long the server wants to be left alone, if it says so. */
    readonly retryAfterSeconds: number | undefined,
  ) {
    super(`${problem.code}: ${problem.detail}`);
    this.code = problem.code;
    this.status = problem.status;
  }
}

/** There was no answer, or none of this API, however often the request was sent. */
export class Unreachable extends Error {
  override readonly name = "Unreachable";
}

/** The seconds of `Retry-After`. A date, which only a proxy would send, counts as nothing. */
export function retryAfter(answer: Response): number | undefined {
  const said = answer.headers.get("Retry-After");
  return said !== null && /^\d{1,9}$/.test(said) ? Number(said) : undefined;
}

/** The refusal in an answer that is none of success. */
export async function refusalOf(answer: Response): Promise<Refused | Unreachable> {
  const problem = (await answer.json().catch(() => undefined)) as Partial<Problem> | undefined;
  if (typeof problem?.code === "string") return new Refused(problem as Problem, retryAfter(answer));
  return new Unreachable(`status ${answer.status}, and no problem of this API`);
}
