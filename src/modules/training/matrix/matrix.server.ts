import { formatIsoDateAsUk } from '#kernel/time.ts'
import { csvResponse } from '#modules/people/leave-report/csv.server.ts'
import type { ApiRecord } from '#server/data/json-select.ts'
import { feature } from '#server/engine/module.ts'
import { type Route, RouteResponse } from '#server/engine/route.ts'
import { EXPORT_CONTENT_TYPES, writeXlsx } from '#server/exports/export.ts'
import { TRAINING_READER_ROLES } from '../rights.ts'
import { describeCell } from './cell-words.ts'
import { findGaps, MATRIX_URL, type MatrixCell, matrixQuery, type TrainingMatrix, trainee } from './matrix.ts'
import { matrixPdf } from './matrix-pdf.server.ts'
import { readMatrix } from './read-matrix.server.ts'

const HEADS = ['Person', 'Job title', 'Department', 'Site'] as const

/** Returns the matrix as a table: a row for each person, and a column for each course. */
function matrixTable(matrix: TrainingMatrix): { readonly heads: string[]; readonly rows: string[][] } {
  const cellsOf = Map.groupBy(matrix.cells, ({ employee }) => employee)
  return {
    heads: [...HEADS, ...matrix.courses.map(({ name }) => name)],
    rows: matrix.people.map(({ id, name, jobTitle, department, site }) => {
      const own = new Map(cellsOf.get(id)?.map((cell): [number, MatrixCell] => [cell.course, cell]))
      return [
        name,
        jobTitle,
        department,
        site,
        ...matrix.courses.map((course) => describeCell(own.get(course.id), matrix.day)),
      ]
    }),
  }
}

async function matrixXlsx(matrix: TrainingMatrix): Promise<RouteResponse> {
  const { heads, rows } = matrixTable(matrix)
  const columns = heads.map((label) => ({
    name: label,
    names: [label],
    label,
    field: { kind: 'text' } as const,
    value: () => null,
  }))
  async function* portions() {
    yield rows
  }
  const title = `Training ${formatIsoDateAsUk(matrix.day).replaceAll('/', '.')}`
  const parts = await Array.fromAsync(await writeXlsx(title, columns, portions(), 'uk'))
  return new RouteResponse(200, Buffer.concat(parts), {
    'content-type': EXPORT_CONTENT_TYPES.xlsx,
    'content-disposition': `attachment; filename="training-${matrix.day}.xlsx"`,
  })
}

const shared = { method: 'GET', allow: TRAINING_READER_ROLES, query: matrixQuery } as const

const matrixRoutes: readonly Route[] = [
  {
    ...shared,
    path: MATRIX_URL,
    title: 'Read the training of people on a day: the gaps, and a cell for each person and course',
    handle: async (c) =>
      ({ '@id': MATRIX_URL, '@type': 'TrainingMatrix', ...(await readMatrix(c)) }) as unknown as ApiRecord,
  },
  {
    ...shared,
    path: `${MATRIX_URL}/export.csv`,
    title: 'Download the training matrix as a CSV file',
    file: ['text/csv'],
    handle: async (c) => {
      const matrix = await readMatrix(c)
      const { heads, rows } = matrixTable(matrix)
      return csvResponse(`training-${matrix.day}.csv`, [heads, ...rows])
    },
  },
  {
    ...shared,
    path: `${MATRIX_URL}/export.xlsx`,
    title: 'Download the training matrix as an Excel workbook',
    file: [EXPORT_CONTENT_TYPES.xlsx],
    handle: async (c) => matrixXlsx(await readMatrix(c)),
  },
  {
    ...shared,
    path: `${MATRIX_URL}/export.pdf`,
    title: 'Get the training matrix as a PDF file: the gaps, then people and courses',
    file: ['application/pdf'],
    handle: async (c) => {
      const matrix = await readMatrix(c)
      return matrixPdf(c, matrix, findGaps(matrix))
    },
  },
]

export const matrix = feature({ pack: 'safety', resources: [trainee], routes: matrixRoutes })
