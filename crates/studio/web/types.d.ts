// Types of the things that pass between modules and over the socket, for the checks alone.

export type Color = 0 | 1;

export interface Score {
  v?: number;
  win?: number;
  loss?: number;
}

export interface Candidate {
  m: string;
  p: number | null;
  e: Score | null;
  w: number | null;
  d: number;
  n: number;
  pv: string[];
}

export interface Cost {
  nodes: number;
  evals: number;
  cutoffs: number;
  ms: number;
  nps: number;
}

export interface Iteration extends Cost {
  depth: number;
  best: string;
  e: Score;
  w: number;
}

export interface Info extends Cost {
  id: number;
  rev: number;
  depth: number;
  seldepth: number;
  cand: Candidate[];
}

export interface Best extends Cost {
  id: number;
  rev: number;
  stones: string[];
  why: string;
  depth: number;
  e: Score | null;
  w: number | null;
  cand: Candidate[];
  iterations: Iteration[];
  stopped: boolean;
  multi?: number;
  seldepth?: number;
  trace?: Trace;
}

export interface Trace {
  truncated: boolean;
  nodes: [number, string | null, boolean, [number, number] | null, number | null, number][];
}

export interface Term {
  name: string;
  color: "black" | "white";
  count: number;
  weight: number;
  points: number;
  lines: string[][];
}

export interface Explanation {
  player: string;
  value: Score | null;
  w: number | null;
  terms: Term[];
  points: [string, number, number][];
  cand: Candidate[];
}

export interface Look {
  rev: number;
  bad?: { played: number; text: string };
  result?: { winner: "black" | "white" | null; ending: string; line: string[] };
  forbidden: [string, string][];
  threats?: [string, number, string][];
  explain?: Explanation;
  problem?: string;
}

export interface Setup {
  black: string[];
  white: string[];
  side: Color;
}

export interface Limit {
  depth?: number;
  nodes?: number;
  evals?: number;
  ms?: number;
}

export interface Seat {
  who: "human" | "player";
  spec?: string;
  limit?: Limit;
}

/** What an analysis of a node found, from the view of the side to move there. */
export interface NodeAnalysis {
  by: string;
  k?: string;
  d: number;
  e: Score | null;
  w: number | null;
  evals: number;
  nodes: number;
  ms: number;
  cand: Candidate[];
}

export interface DocNode {
  p: number;
  m?: string;
  /** Comment. */
  c?: string;
  /** Analysis. */
  a?: NodeAnalysis;
  /** Judgement: good, bad, doubtful, interesting. */
  j?: string;
  /** Labels on points. */
  x?: [string, string][];
  /** Milliseconds spent on the move. */
  t?: number;
  /** Evaluations spent on the move by the player that chose it. */
  n?: number;
}

export interface GameEnd {
  winner: Color | null;
  ending: string;
}

export interface GameClock {
  left: [number, number];
  inc: number;
  base: number;
}

export interface Doc {
  v: number;
  id: string;
  seq: number;
  saved: number;
  title: string;
  rule: string;
  size: number;
  setup: Setup | null;
  seats: [Seat, Seat];
  names: [string, string];
  nodes: DocNode[];
  at: number;
  tip: number;
  result: string | null;
  end?: GameEnd | null;
  plies: number;
  from?: string;
  clock?: GameClock | null;
  opening?: any;
}

export interface Param {
  name: string;
  help: string;
  kind: "integer" | "real" | "switch" | "choice" | "component";
  default: any;
  min?: number;
  max?: number;
  step?: number;
  log?: boolean;
  options?: string[];
  of?: string;
}

export interface PlayerInfo {
  name: string;
  summary: string;
  source: string;
  params: Param[];
  tables: { name: string; columns: string[]; rows: string[][] }[];
}

export interface Schema {
  proto: number;
  version: string;
  rules: string[];
  sizes: [number, number];
  players: PlayerInfo[];
  [more: string]: any;
}

export interface View {
  size: number;
  coords: "letters" | "numbers" | "none";
  stones: Map<string, { color: Color; n: number }>;
  numbers: "all" | "last" | "none" | number;
  last: string | null;
  win: string[];
  forbidden: [string, string][];
}
