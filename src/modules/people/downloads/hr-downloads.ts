import type { NavigationEntry } from '#kernel/packs.ts'
import { handbookInfo } from '../handbooks/handbook-infos.ts'
import { HR_ROLES } from '../rights.ts'

export const HR_DOWNLOADS_URL = '/api/employees/downloads'
export const RETIRED_HR_DOWNLOADS_URL = `${HR_DOWNLOADS_URL}/retired`

const tab = { area: 'People', pack: 'employees', tabOf: handbookInfo.screens.list, allow: HR_ROLES } as const

export const hrDownloadsNav = {
  downloads: { ...tab, path: '/ffe/downloads', title: 'Downloads', icon: 'download', order: 32 },
  retired: { ...tab, path: '/ffe/retired', title: 'Retired', icon: 'folder', order: 33 },
} as const satisfies Record<string, NavigationEntry>
