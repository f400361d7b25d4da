export const NEW_STAFF_URL = '/api/crm/staff/new'
