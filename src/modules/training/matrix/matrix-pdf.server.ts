import { create as disposition } from 'content-disposition'
import { formatIsoDateAsUk } from '#kernel/time.ts'
import { readLetterhead, readLogo } from '#modules/portal/letterhead/letterhead.server.ts'
import { type RouteContext, RouteResponse } from '#server/engine/route.ts'
import { renderPdf } from '#server/pdf/render.ts'
import { describeCell } from './cell-words.ts'
import { gapSince, type MatrixCell, type TrainingMatrix } from './matrix.ts'

/** Most courses in one table of the PDF, so that words fit beside each other. */
const COURSES_PER_TABLE = 7

/** Renders the matrix as a tagged PDF with the company's letterhead: the gaps first, then tables of people and courses. */
export async function matrixPdf(
  c: RouteContext,
  { day, people, courses, cells }: TrainingMatrix,
  gaps: readonly MatrixCell[],
): Promise<RouteResponse> {
  const letterhead = await readLetterhead(c.engine, c.me.clientId)
  const { client, brand } = letterhead
  const logo = await readLogo(c.engine, letterhead)
  const personOf = new Map(people.map((one) => [one.id, one]))
  const courseOf = new Map(courses.map((one) => [one.id, one]))
  const cellOf = new Map(cells.map((cell) => [`${cell.employee} ${cell.course}`, cell]))
  const tables = Array.from({ length: Math.ceil(courses.length / COURSES_PER_TABLE) }, (_, n) => {
    const some = courses.slice(n * COURSES_PER_TABLE, (n + 1) * COURSES_PER_TABLE)
    return {
      heads: some.map(({ name }) => name),
      rows: people.map(({ id, name }) => ({
        name,
        cells: some.map((course) => {
          const cell = cellOf.get(`${id} ${course.id}`)
          return { state: cell?.state ?? 'notNeeded', words: describeCell(cell, day) }
        }),
      })),
    }
  })
  const pdf = await renderPdf({
    template: new URL('./matrix.typ', import.meta.url),
    client: c.me.clientId,
    title: 'Training matrix',
    data: {
      sender: { brand, client: { ...client, name: client.name || brand.name, logo } },
      title: 'Training matrix',
      printed: c.now.toString(),
      by: c.me.name,
      day: formatIsoDateAsUk(day),
      people: String(people.length),
      courses: String(courses.length),
      gaps: gaps.map((gap) => ({
        person: personOf.get(gap.employee)?.name ?? '',
        job: personOf.get(gap.employee)?.jobTitle ?? '',
        course: courseOf.get(gap.course)?.name ?? '',
        state: gap.state,
        words: describeCell(gap, day),
        since: gapSince(gap) ? formatIsoDateAsUk(gapSince(gap)) : '',
      })),
      tables,
    },
  })
  return new RouteResponse(200, pdf, {
    'content-type': 'application/pdf',
    'content-disposition': disposition(`training-${day}.pdf`, { type: 'inline' }),
  })
}
