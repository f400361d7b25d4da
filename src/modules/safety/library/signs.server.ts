import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { problem } from '#kernel/errors.ts'
import { type Route, RouteResponse } from '#server/engine/route.ts'

const FOLDER = join(import.meta.dirname, '../../../../db/reference/ppe-signs')

const TYPE = 'image/svg+xml; charset=utf-8'

let drawings: ReadonlyMap<string, string> | undefined
const read = () =>
  new Map(
    readdirSync(FOLDER)
      .filter((name) => name.endsWith('.svg'))
      .map((name) => [name, readFileSync(join(FOLDER, name), 'utf8')]),
  )

/** Route for drawings of protective equipment. The route is public, because an `<img>` element sends no token. */
export const ppeDrawingRoute: Route = {
  method: 'GET',
  path: '/api/safety/ppe_signs/{name}',
  title: 'Get the safety sign for an item of protective equipment, as SVG',
  allow: 'anonymous',
  file: [TYPE],
  handle: ({ params }) => {
    drawings ??= read()
    const drawing = drawings.get(params.name ?? '')
    if (drawing === undefined) throw problem.notFound()
    return new RouteResponse(200, drawing, {
      'content-type': TYPE,
      'cache-control': 'public, max-age=86400',
      'content-security-policy': "default-src 'none'",
    })
  },
}
