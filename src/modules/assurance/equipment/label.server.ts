import { create as disposition } from 'content-disposition'
import encodeQR from 'qr'
import { problem } from '#kernel/errors.ts'
import { text } from '#kernel/fields.ts'
import { idFromIriOrNumber } from '#kernel/iri.ts'
import { readLetterhead } from '#modules/portal/letterhead/letterhead.server.ts'
import { hashSecret } from '#server/auth/secret.ts'
import { firstQueryValue } from '#server/data/filters.ts'
import { type Route, RouteResponse } from '#server/engine/route.ts'
import { openSecretLink, secretLinkUrl } from '#server/engine/secret-links.ts'
import { renderPdf } from '#server/pdf/render.ts'
import { LABEL_PATH } from '../nav.ts'
import { EQUIPMENT_ROLES } from '../rights.ts'
import { equipmentItem, isPresent } from './item.ts'
import { type EquipmentLabel, LABELS_URL } from './label.ts'

/** Most labels of one PDF. */
const MAX_LABELS = 240

/** Returns the IDs of the chosen items. Throws 400 for any other text. */
function chosenIds(given: string): number[] {
  const ids = [...new Set(given.split(',').filter(Boolean))].map((one) => {
    const id = idFromIriOrNumber(equipmentItem, one)
    if (id === undefined) throw problem.invalidIri(one)
    return id
  })
  if (!ids.length || ids.length > MAX_LABELS)
    throw problem.badRequest(`Please choose between 1 and ${MAX_LABELS} items`)
  return ids
}

export const labelRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: LABELS_URL,
    title: 'Get the QR labels of items as a PDF, 24 on each sheet',
    allow: EQUIPMENT_ROLES,
    query: { items: text({ required: true, help: 'IDs of the items, separated by commas.' }) },
    file: ['application/pdf'],
    handle: async ({ engine, me, query }) => {
      const ids = chosenIds(firstQueryValue(query.items) ?? '')
      const items = await engine.readIn(me.clientId, 'print the labels of items', (c) =>
        c.find(equipmentItem, { id: ids }),
      )
      if (!items.length) throw problem.notFound()
      const { client, brand } = await readLetterhead(engine, me.clientId)
      const labels = items.map(({ id, number, name, labelSecret }) => {
        const address = secretLinkUrl(engine.config, LABEL_PATH, me.clientId, id, labelSecret)
        const qr = Buffer.from(encodeQR(address, 'gif', { ecc: 'medium', border: 2, scale: 6 }))
        return { number, name, qr: { base64: qr.toString('base64'), alt: `QR code of ${number}` } }
      })
      const pdf = await renderPdf({
        template: new URL('./labels.typ', import.meta.url),
        client: me.clientId,
        title: 'Equipment labels',
        data: {
          sender: { brand, client: { ...client, name: client.name || brand.name, logo: null } },
          title: 'Equipment labels',
          labels,
        },
      })
      return new RouteResponse(200, pdf, {
        'content-type': 'application/pdf',
        'content-disposition': disposition('equipment-labels.pdf', { type: 'inline' }),
      })
    },
  },
  {
    method: 'GET',
    path: '/api/safety/equipment_labels/{token}',
    title: 'Get the number, name, fitness and next check of the item behind a QR label',
    allow: 'anonymous',
    handle: async ({ engine, params }): Promise<EquipmentLabel & Record<string, unknown>> => {
      const item = await openSecretLink(engine, params.token, 'open the label of an item', async (c, link) => {
        const found = await c.get(equipmentItem, link.id)
        return found?.labelSecret && link.hasHash(hashSecret(found.labelSecret)) ? found : undefined
      })
      const { number, name, fitness, nextCheckOn, lifecycle } = item
      const isHere = isPresent(lifecycle)
      return {
        '@type': 'EquipmentLabel',
        number,
        name,
        fitness: isHere ? fitness : null,
        nextCheckOn: isHere ? nextCheckOn : null,
      }
    },
  },
]
