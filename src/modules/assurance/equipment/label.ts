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
