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
  /** Whether the win that `e` claims is proved, and the proof checked. */
  proved?: boolean;
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
  proved?: boolean;
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
  policy: [string, number][];
  /** Five-cell lines, by number: cells, worth to Black, worth to White. */
  lines?: [string, number, number][];
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

/** An arrow or a line between two points, as records have them. */
export type Arrow = [from: string, to: string, kind: "arrow" | "line"];

/** What an analysis of a node found, from the view of the side to move there. */
export interface NodeAnalysis {
  by: string;
  k?: string;
  d: number;
  e: Score | null;
  w: number | null;
  proved?: boolean;
  evals: number;
  nodes: number;
  ms: number;
  cand: Candidate[];
}

/** What a review says of a move: its kind, the share of chance given away, what was better; `n` are plies of a forced win. */
export interface Verdict {
  k: string;
  l: number;
  line: string[];
  n?: number;
  turn?: boolean;
}

export interface DocNode {
  p: number;
  m?: string;
  /** Comment. */
  c?: string;
  /** Analysis. */
  a?: NodeAnalysis;
  /** Judgment: good, bad, doubtful, interesting. */
  j?: string;
  /** Labels on points. */
  x?: [string, string][];
  /** Arrows and lines. */
  y?: Arrow[];
  /** What a review says of the move. */
  r?: Verdict;
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
  /** Who reviewed the game, and how well each side played, as a share of one. */
  review?: { by: string; accuracy: [number | null, number | null]; moves?: string };
  /** The run that it was taken from. */
  from?: string;
  /** It came by a link, which says nothing about who plays. */
  linked?: boolean;
  /** Nothing has been done with it but look. */
  seen?: boolean;
  clock?: GameClock | null;
  opening?: any;
}

/** A position as the server reads it: stones set up beforehand, if any, then moves. */
export interface Position {
  rule: string;
  size: number;
  setup: string | null;
  moves: string[];
}

export interface SearchLimits extends Limit {
  /** Milliseconds left on the clock, and added after each move. */
  clock?: [number, number];
}

/** What the page says to the server over the socket. */
export type PageMessage =
  | { t: "hello"; proto: number }
  | { t: "look"; rev: number; position: Position; player: string | null }
  | {
      t: "think";
      id: number;
      rev: number;
      position: Position;
      player: string;
      /** The game it belongs to: a player remembers while this stays the same. */
      game: string;
      limits?: SearchLimits;
      multi_pv?: number;
      trace?: boolean;
      /** How many stones are to be found that leave the position even. */
      balance?: 1 | 2;
    }
  | {
      t: "review";
      id: number;
      position: Position;
      player: string;
      game: string;
      limits?: SearchLimits;
      /** The first move to be judged. */
      from?: number;
    }
  | { t: "stop"; id: number }
  /** `base` is the `seq` of the stored version that the game was made from, if it is known. */
  | { t: "doc-put"; doc: Doc; base?: number }
  | { t: "doc-open"; game: string };

/** The page's message of a type. */
export type MessageFromPage<T extends PageMessage["t"]> = Extract<PageMessage, { t: T }>;

export type JobState = "running" | "stopping" | "stopped" | "done" | "failed";

/** What the server says to the page over the socket. */
export type ServerMessage =
  | { t: "hello"; proto: number; version: string; client: number; cores: number; doc: Doc | null }
  /** A game that another page has changed, or the answer to what this page sent or asked for. */
  | { t: "doc"; doc: Doc; answer: boolean }
  /** The game is on disk. */
  | { t: "saved"; game: string; seq: number }
  | ({ t: "look" } & Look)
  | ({ t: "info" } & Info)
  | { t: "iter"; id: number; rev: number; iteration: Iteration }
  | ({ t: "best" } & Best)
  /** A review has judged the position after so many moves. */
  | { t: "judged"; id: number; ply: number; done: number; total: number; best: Best | null }
  | Review
  /** A request could not be done. */
  | { t: "error"; id: number | null; code: string; detail: string }
  | MatchNews
  | TuningNews
  | SolveNews;

/** The server's message of a type. */
export type MessageOf<T extends ServerMessage["t"]> = Extract<ServerMessage, { t: T }>;

/** The end of a review. */
export interface Review {
  t: "review";
  id: number;
  stopped: boolean;
  moves: { ply: number; kind: string; loss: number; w: number; line: string[]; plies?: number; turn: boolean }[];
  accuracy: [number | null, number | null];
}

/** How a match run stands; the figures are there once games have been played. */
export interface MatchNews {
  t: "run";
  id: string;
  state: JobState;
  error: string | null;
  jobs: number;
  players: { name: string; spec: string; limit: string }[];
  rule: string;
  size: number;
  seed: string;
  openings: string;
  schedule: string;
  /** Pairs of games. */
  total: number;
  reproducible: boolean;
  watched: { pair: number | null; game: number; opening: string; players: [number, number]; moves: string[] };
  test?: any;
  played?: number;
  counted?: number;
  games?: any;
  pairs?: any;
  estimate?: any;
  colors?: any;
  endings?: Record<string, number>;
  llr?: [number, number, number];
  /** Seconds left. */
  eta?: number;
}

/** How a tuning run stands. */
export interface TuningNews {
  t: "tune";
  id: string;
  state: JobState;
  phase: string;
  done: number;
  total: number;
  error?: string | null;
}

/** How the search for a forced win stands. */
export interface SolveNews {
  t: "solve";
  id: string;
  state: JobState | "win" | "no-win" | "unknown";
  nodes: number;
  step: string;
  ms: number;
  asked: any;
  attacker: Color;
  proof: string | null;
  about: any;
  line: string[];
  isShortest: boolean;
  error: string | null;
  limit: { nodes: number; ms: number };
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
