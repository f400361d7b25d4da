/** Figure of the overview, with the screen that lists the rows behind it. */
export interface OverviewFigure {
  readonly name: string
  readonly label: string
  readonly count: number
  readonly rows: string
}

/** A new starter without a complete written statement of particulars. */
export interface StarterWithoutStatement {
  readonly id: number
  readonly name: string
  /** First day of employment. */
  readonly dueOn: string
}

export interface PeopleOverview {
  readonly people: readonly OverviewFigure[]
  readonly missing: readonly OverviewFigure[]
  readonly statements: readonly OverviewFigure[]
  readonly starters: readonly StarterWithoutStatement[]
  readonly expiries: readonly OverviewFigure[]
}

export const PEOPLE_OVERVIEW_URL = '/api/employees/overview'

/** Length of the period in which joiners and leavers are counted. */
const OVERVIEW_DAYS = 365

/** Returns the first day of the period that ends on a day. */
export const firstOverviewDay = (today: string): string =>
  Temporal.PlainDate.from(today).subtract({ days: OVERVIEW_DAYS }).toString()
