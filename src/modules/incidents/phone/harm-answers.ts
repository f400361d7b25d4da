/** How bad an incident was, in words that a witness uses. `harm` and `severity` are what the entry records. */
export const HARM_ANSWERS = [
  { value: 'none', label: 'Nobody was hurt', harm: 'none' },
  { value: 'minor', label: 'First aid, or no treatment', harm: 'injured' },
  { value: 'serious', label: 'Somebody had to stop working', harm: 'injured' },
  { value: 'major', label: 'Somebody went to hospital, or was badly hurt', harm: 'injured' },
  { value: 'fatal', label: 'Somebody died', harm: 'dead' },
] as const
