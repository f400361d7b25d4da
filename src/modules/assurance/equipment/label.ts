import { LABEL_PATH } from '../nav.ts'
import type { Fitness } from './item.ts'

/** Address of the PDF with the labels of chosen items. */
export const LABELS_URL = '/api/safety/equipment_labels.pdf'

/** Data that anybody with the label may see. */
export interface EquipmentLabel {
  readonly number: string
  readonly name: string
  /** Fitness of an item that the company still has; null for one that it has sold or scrapped. */
  readonly fitness: Fitness | null
  readonly nextCheckOn: string | null
}

export const OTHER_COMPANY_LABEL = 'This label belongs to another company.'

/** Company and item of a label. */
export interface LabelledItem {
  readonly clientId: number
  readonly id: number
}

const LABEL = new RegExp(`^(?:\\S{0,200}${LABEL_PATH}/)?(\\d+)-(\\d+)-\\w{32}$`)

/** Reads the address of a label, or the last part of it; `undefined` for other text. */
export function parseLabel(text: string): LabelledItem | undefined {
  const [, clientId, id] = LABEL.exec(text) ?? []
  return clientId && id ? { clientId: Number(clientId), id: Number(id) } : undefined
}
