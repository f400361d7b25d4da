import { violation } from '#kernel/errors.ts'
import { tooLongViolation } from '#kernel/forms/losses.ts'
import { isPlainObject } from '#kernel/forms/rows.ts'
import { toText } from '#kernel/text.ts'
import type { StoredFieldRules } from '#modules/documents/types/kind.ts'

/** Protective equipment in an assessment, with the library data from when the equipment was chosen. */
export interface CoshhEquipment {
  readonly id: number
  readonly label: string
  /** Equipment kind as named in COSHH assessments, such as "gloves". */
  readonly coshhValue: string
  readonly standard: string
  readonly image: string
  /** Material, marking or filter type to look for. */
  readonly detail?: string
}

export const parseCoshhEquipment = (value: unknown): CoshhEquipment[] =>
  (Array.isArray(value) ? value : []).filter(isPlainObject).map((item) => ({
    id: Number(item.id),
    label: toText(item.label),
    coshhValue: toText(item.coshhValue),
    standard: toText(item.standard),
    image: toText(item.image),
    ...(toText(item.detail).trim() ? { detail: toText(item.detail).trim() } : {}),
  }))

const MOST = 100
const MAX_DETAIL_CHARACTERS = 1000

/** Sanitising and validation rules for the stored equipment field. */
export const coshhEquipmentRules: StoredFieldRules = {
  clean: parseCoshhEquipment,
  wrong: (value, path) => {
    if (value === undefined || value === null || value === '') return []
    if (!Array.isArray(value))
      return [violation(path, 'The list of protective equipment can’t be read. Please choose the equipment again')]
    if (value.length > MOST)
      return [violation(path, `Please choose at most ${MOST} items of protective equipment`, 'too_long')]
    return value.flatMap((item: unknown, i) => {
      const at = `${path}[${i}]`
      if (!isPlainObject(item) || !Number.isSafeInteger(Number(item.id)))
        return [violation(at, 'The list of protective equipment can’t be read. Please choose the equipment again')]
      return (['label', 'coshhValue', 'standard', 'image', 'detail'] as const).flatMap((name) => {
        const max = name === 'detail' ? MAX_DETAIL_CHARACTERS : 255
        return tooLongViolation('Protective equipment', toText(item[name]), max, `${at}.${name}`) ?? []
      })
    })
  },
}
