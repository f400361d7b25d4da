UPDATE pack_product SET prod_legend = 'Employee records, contracts and right to work', retired = false WHERE code = 'employees';
INSERT INTO pack_product (code, name, prod_legend, begins, retired)
VALUES ('holidays', 'Leave', 'Leave requests, allowances and absence', false, false) ON CONFLICT (code) DO NOTHING;
