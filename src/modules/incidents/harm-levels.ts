/** Severity that an incident had, or could have had. */
export const HARM_LEVELS = [
  { value: 'none', label: 'No harm' },
  { value: 'minor', label: 'Minor: first aid' },
  { value: 'serious', label: 'Serious: lost time' },
  { value: 'major', label: 'Major: specified injury or ill health' },
  { value: 'fatal', label: 'Fatal' },
] as const
