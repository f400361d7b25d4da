/** Values of an employee's sex (specification, safety section 9); 0 if not stated. */
export const SEXES = [
  { value: '0', label: 'Not stated' },
  { value: '1', label: 'Male' },
  { value: '2', label: 'Female' },
] as const

export const sexLabel = (sex: number): string =>
  SEXES.find(({ value }) => value === String(sex))?.label ?? SEXES[0].label
